import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../host/process/ports.cts';
import { startSandbox } from '../../host/service/sandbox.cts';
import { demo } from '../../sandbox/demo.cts';
import type { Figure } from '../support/figure.cts';
import { inRounds } from '../support/rounds.cts';

const perSecond = 500;
const batchesPerSecond = 10;

interface Usage {
	cpuMs: number;
	rssKb: number;
}

/** What the script of the page does: asks again when it is told that something changed, and never twice at a time. */
const openPage = (url: string) => {
	const closing = new AbortController();
	const { signal } = closing;
	let isStale = false;
	let isAsking = false;
	let shown = 0;
	const refresh = async () => {
		isStale = true;
		if (isAsking) return;
		isAsking = true;
		while (isStale) {
			isStale = false;
			const response = await fetch(url, { headers: { 'x-part': 'main' }, signal });
			await response.text();
			shown++;
		}
		isAsking = false;
	};
	const listen = async () => {
		const response = await fetch(`${url}live`, { signal });
		const decoder = new TextDecoder();
		// Node's streams can be read like this; the type of a browser's doesn't know it.
		const stream = response.body as unknown as AsyncIterable<Uint8Array>;
		for await (const bytes of stream) {
			// It ends with the page.
			if (decoder.decode(bytes).includes('event: change')) void refresh().catch(() => undefined);
		}
	};
	const ended = listen().catch(() => undefined);
	return {
		get shown() {
			return shown;
		},
		close: async () => {
			closing.abort();
			await ended;
		},
	};
};

export const sandboxPage: Figure = {
	name: 'Sandbox page',
	isApart: true,
	run: async ({ quick, report, userFolder }) => {
		const seconds = quick ? 2 : 600;
		const memory: Record<'open' | 'closed', number[]> = { open: [], closed: [] };
		const measure = async (side: keyof typeof memory): Promise<number> => {
			const sandbox = await startSandbox({
				port: await freePort(),
				logFile: path.join(userFolder, 'sandbox-page.log'),
			});
			const ask = async (method: string, address: string, body?: unknown) => {
				const response = await fetch(`${sandbox.controlUrl}${address}`, {
					method,
					headers: { 'content-type': 'application/json' },
					body: body === undefined ? undefined : JSON.stringify(body),
				});
				return (await response.json()) as Usage;
			};
			let next = 0;
			const send = async () => {
				const messages = Array.from({ length: perSecond / batchesPerSecond }, () => ({
					channelType: 'SMS',
					senderName: demo.senderNames.sms,
					destination: `7916${String(next++ % 100_000).padStart(7, '0')}`,
					content: `Message ${next}`,
				}));
				const response = await fetch(`${sandbox.access.messagingBaseUrl}/message`, {
					method: 'POST',
					headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
					body: JSON.stringify(messages),
				});
				const { errors } = (await response.json()) as { errors: boolean };
				if (errors) throw new Error('The sandbox refused a message.');
			};
			const traffic = async (rounds: number) => {
				const begun = performance.now();
				for (let round = 1; round <= rounds; round++) {
					await send();
					await pause(Math.max(0, begun + (round * 1_000) / batchesPerSecond - performance.now()));
				}
			};
			try {
				await ask('PUT', '/balance', { RUB: 100_000_000 });
				const page = side === 'open' ? openPage(sandbox.faceUrl) : undefined;
				await traffic(2 * batchesPerSecond);
				const before = await ask('GET', '/usage');
				await traffic(seconds * batchesPerSecond);
				const after = await ask('GET', '/usage');
				await page?.close();
				if (page !== undefined && page.shown < seconds) {
					throw new Error(`The page was shown ${page.shown} times in ${seconds} seconds.`);
				}
				memory[side].push(after.rssKb / 1_024);
				return after.cpuMs - before.cpuMs;
			} finally {
				await sandbox.stop();
			}
		};
		const { open, closed } = await inRounds(
			1,
			{ open: async () => await measure('open'), closed: async () => await measure('closed') },
			report,
		);
		const what = `${perSecond} messages per second for ${seconds} s`;
		const theirs = 'the sandbox without an open page';
		return [
			{
				what: `processor time, ${what}`,
				unit: 'ms',
				ours: { name: 'with an open page', values: open },
				theirs: { name: theirs, values: closed },
				limit: 1.2,
			},
			{
				what: `memory afterwards, ${what}`,
				unit: 'MB',
				ours: { name: 'with an open page', values: memory.open },
				theirs: { name: theirs, values: memory.closed },
				limit: 1.2,
			},
		];
	},
};
