import { readFileSync } from 'node:fs';
import path from 'node:path';
import { demo } from '../../sandbox/demo.cts';
import { Dialect } from '../../sandbox/api/dialect.cts';
import { referenceDocument } from '../../scripts/sandbox-reference.cts';
import { FaultKind } from '../../sandbox/api/faults.cts';
import { message, open } from './support.cts';

const read = (name: string) =>
	readFileSync(path.join(__dirname, '..', '..', 'sandbox', name), 'utf8');
const readme = read('README.md');
const reference = read('reference.md');

test('the control interface lists itself, each route with what it does', async () => {
	const { sandbox } = open();
	const response = await sandbox.fetch(sandbox.urls.controlUrl);
	const { routes } = (await response.json()) as { routes: Array<Record<string, string>> };
	expect(routes.length).toBeGreaterThan(35);
	const names = routes.map(({ method, path: address }) => `${method} ${address}`);
	expect(new Set(names).size).toBe(names.length);
	for (const { does } of routes) expect(does).toMatch(/^[A-Z].{10,}/);
});

test('sandbox/reference.md is what "npm run reference" writes', async () => {
	expect(reference).toBe(await referenceDocument());
});

test('the README is short, and names everything on the page as the page does', async () => {
	expect(readme.match(/[\p{L}\d][^\s]*/gu)?.length).toBeLessThanOrEqual(900);
	const { sandbox, control, sendAll } = open();
	const send = async () => {
		await sendAll(message({ callbackUrl: 'http://127.0.0.1/x' }));
		await sandbox.advance(60_000);
	};
	await send();
	await control('PUT', '/hold', { on: true });
	await send();
	const pages = await Promise.all(
		['/', '/dispatches', '/callbacks', '/account', '/requests', '/controls', '/held'].map(
			async (page) => await (await sandbox.fetch(`${sandbox.urls.origin}${page}`)).text(),
		),
	);
	await control('PUT', '/hold', { on: false });
	const off = await (await sandbox.fetch(`${sandbox.urls.origin}/controls`)).text();
	const words = [...pages, off].join(' ').replaceAll(/\s+/g, ' ').replaceAll('&#39;', "'");
	const named = [...readme.matchAll(/(?<![\w*])_([^_\n]+)_(?!\w)/g)].map(([, name]) =>
		String(name),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((name) => !words.includes(name))).toEqual([]);
});

test('the README names the credentials, the reference every kind of fault', () => {
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
	for (const value of values) expect(readme).toContain(value);
	for (const kind of FaultKind.options) expect(reference).toContain(`\`${kind}\``);
});

test('the reference names every setting of the response variants', () => {
	const rows = reference.split('\n').filter((line) => line.startsWith('| `'));
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
