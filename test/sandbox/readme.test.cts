import { readFileSync } from 'node:fs';
import path from 'node:path';
import { demo } from '../../sandbox/demo.cts';
import { Dialect } from '../../sandbox/api/dialect.cts';
import { FaultKind } from '../../sandbox/api/faults.cts';
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

test('the README names every setting of the response variants', () => {
	const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
	const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)]);
	expect(named.map(([, setting]) => setting)).toEqual(
		expect.arrayContaining(Object.keys(Dialect.shape)),
	);
});

test('a wrong value of a response variant is rejected with the right ones', async () => {
	const { control } = open();
	await expect(control('PUT', '/variants', { keyCase: 'kebab' })).rejects.toThrow(
		/400: .*camel.*snake.*pascal/,
	);
});
