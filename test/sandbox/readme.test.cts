import { readFileSync } from 'node:fs';
import path from 'node:path';
import { demo } from '../../sandbox/demo.cts';
import { Dialect, dialectOptions } from '../../sandbox/dialect.cts';
import { FaultKind } from '../../sandbox/faults.cts';
import { open } from './support.cts';

const readme = readFileSync(path.join(__dirname, '..', '..', 'sandbox', 'README.md'), 'utf8');

test('the control interface lists itself, each route with what it does', async () => {
	const { sandbox } = open();
	const response = await sandbox.fetch(sandbox.urls.controlUrl);
	const { routes } = (await response.json()) as { routes: Array<Record<string, string>> };
	expect(routes.length).toBeGreaterThan(35);
	const names = routes.map(({ method, path: address }) => `${method} ${address}`);
	expect(new Set(names).size).toBe(names.length);
	for (const { does } of routes) expect(does).toMatch(/^[A-Z].{10,}/);
	expect(readme).toContain('`GET /_sandbox` lists them all');
});

test('the README names the credentials and every kind of fault', () => {
	const { login, password, apiKey, messagesOnlyKey, verifierKey, partnerPath, messagingPath } =
		demo;
	const values = [
		login,
		password,
		apiKey,
		messagesOnlyKey,
		verifierKey,
		partnerPath,
		messagingPath,
	];
	for (const value of [...values, ...FaultKind.options]) expect(readme).toContain(value);
});

test('the README names every member of the dialect with its options', () => {
	const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
	for (const member of Object.keys(Dialect.shape)) {
		const row = rows.find((line) => line.split('|')[1].includes(`\`${member}\``)) ?? '';
		const options = Object.entries(dialectOptions).find(([name]) => name === member)?.[1] ?? [];
		const documented = [...row.matchAll(/`(\w+)`/g)].map(([, word]) => word);
		expect([member, documented]).toEqual([member, expect.arrayContaining([member, ...options])]);
	}
});
