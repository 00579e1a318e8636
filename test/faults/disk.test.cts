import { execFileSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { partner } from '../../core/contract/partner';
import { freePort } from '../../host/process/ports.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { startSandbox as startProcess } from '../../host/service/sandbox.cts';
import { clientOf } from '../../sandbox/client.cts';
import { demo } from '../../sandbox/demo.cts';
import { startSandbox } from '../../sandbox/server.cts';
import { useCounts } from './support/counts.cts';

const counts = useCounts('disk');

const undo: Array<() => Promise<unknown>> = [];
afterEach(async () => {
	for (const one of undo.splice(0).reverse()) await one();
});
const folderForState = () => {
	const temporary = temporaryFolder();
	undo.push(temporary.remove);
	return path.join(temporary.folder, 'state');
};

const addCompany = async ({ call }: ReturnType<typeof clientOf>, name: string) => {
	counts.requests++;
	await call(partner.companyCreate, {
		body: { company: { name, counteragentType: 'LEGAL', counteragentInn: '7707083893' } },
	});
};
const namesOf = async ({ call }: ReturnType<typeof clientOf>) => {
	counts.requests++;
	const { items } = await call(partner.companyList, { query: { per_page: 1_000 } });
	return items.map(({ name }) => name);
};

/** The names of the companies in a state file, as a sandbox that starts from it gives them. */
const savedIn = async (state: string) => {
	const copy = folderForState();
	copyFileSync(state, copy);
	const running = await startSandbox({ port: 0, speed: 0, state: copy });
	const names = await namesOf(running.sandbox.client());
	await running.close();
	return names;
};

test('no space left: the sandbox goes on, says it once, and keeps the last good state', async () => {
	const state = folderForState();
	const log: string[] = [];
	const running = await startSandbox({
		port: 0,
		speed: 0,
		state,
		log: (line) => void log.push(line),
	});
	undo.push(running.close);
	const client = running.sandbox.client();
	await addCompany(client, 'Saved');
	running.save();
	const saved = readFileSync(state, 'latin1');

	for (const name of ['First', 'Second', 'Third']) {
		await addCompany(client, name);
		// Whoever writes there is told that the device is full.
		symlinkSync('/dev/full', `${state}.tmp`);
		running.save();
		counts.runs++;
		counts.faults++;
		counts.completed++;
		expect(readFileSync(state, 'latin1')).toBe(saved);
		expect(existsSync(`${state}.tmp`)).toBe(false);
	}
	expect(await namesOf(client)).toEqual(expect.arrayContaining(['Saved', 'First', 'Third']));
	expect(await savedIn(state)).not.toContain('First');

	running.save();
	expect(log).toEqual([
		expect.stringMatching(
			/^The state can't be saved to .*ENOSPC.*The sandbox continues without saving\.$/,
		),
		expect.stringMatching(/^The state is saved to .* again\.$/),
	]);
	expect(await savedIn(state)).toEqual(await namesOf(client));
});

/** Every process of a group. */
const processesOf = (group: number) =>
	readdirSync('/proc').filter((entry) => {
		if (!/^\d+$/.test(entry)) return false;
		try {
			// Behind the name in brackets: state, parent, group.
			const [, , ofGroup] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1].split(' ');
			return Number(ofGroup) === group;
		} catch {
			return false;
		}
	});

test('a file that may not grow, as under a quota: half of it is written, and none of it is kept', async () => {
	const state = folderForState();
	const logFile = path.join(path.dirname(state), 'sandbox.log');
	const sandbox = await startProcess({ port: await freePort(), logFile, stateFile: state });
	undo.push(sandbox.stop);
	const { origin } = new URL(sandbox.controlUrl);
	const client = clientOf(fetch, origin);
	const limit = (bytes: number | 'unlimited') => {
		for (const pid of processesOf(sandbox.pid())) {
			execFileSync('prlimit', ['--pid', pid, `--fsize=${bytes}:unlimited`]);
		}
	};
	const until = async (isSo: () => boolean) => {
		while (!isSo()) await pause(100);
	};

	await addCompany(client, 'Saved');
	await until(() => existsSync(state) && readFileSync(state, 'latin1').includes('Saved'));
	limit(statSync(state).size + 100);
	counts.runs++;
	counts.faults++;
	for (let added = 1; added <= 20; added++) await addCompany(client, `Company ${added}`);
	await until(() => readFileSync(logFile, 'utf8').includes("can't be saved"));
	const seeded = Object.keys(demo.companies).length;
	expect(await namesOf(client)).toHaveLength(seeded + 21);
	expect(await savedIn(state)).toHaveLength(seeded + 1);
	expect(existsSync(`${state}.tmp`)).toBe(false);

	limit('unlimited');
	await until(() => readFileSync(logFile, 'utf8').includes('again'));
	const inFile = await savedIn(state);
	counts.lost += (await namesOf(client)).filter((name) => !inFile.includes(name)).length;
	expect(inFile).toHaveLength(seeded + 21);
	expect(readFileSync(logFile, 'utf8').match(/can't be saved/g)).toHaveLength(1);
	counts.completed++;
});
