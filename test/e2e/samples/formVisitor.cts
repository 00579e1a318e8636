import { setTimeout as pause } from 'node:timers/promises';
import type { Sample } from './sample.cts';

/** n8n takes only a browser for a person. */
const headers = { 'user-agent': 'Mozilla/5.0 Chrome/130.0' };

const textOf = (html: string) =>
	html
		.replace(/<(script|style)[^]*?<\/\1>/g, '')
		.replace(/<[^>]*>/g, ' ')
		.replaceAll('&#x27;', "'")
		.replace(/\s+/g, ' ');

/** The production URL of a sample's form. */
export function formUrl({ workflow, n8n }: Sample) {
	const form = workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
	return `${n8n.url}/form/${form?.webhookId}`;
}

/** The form of a published sample sends messages: it is for people of this n8n. */
export async function letsNoStrangerSend(sample: Sample) {
	const body = new FormData();
	body.set('field-0', 'written by a stranger');
	const url = formUrl(sample);
	const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
	expect([302, 401, 403]).toContain(response.status);
	expect(await sample.n8n.executions(sample.workflow.id)).toEqual([]);
}

/** Somebody at the pages of a published form; over HTTP, as the script of n8n's pages does it. */
export class FormVisitor {
	/** Where the pages after the first one are. */
	private waitingUrl = '';

	constructor(private readonly url: string) {}

	get executionId() {
		return new URL(this.waitingUrl).pathname.split('/').at(-1) ?? '';
	}

	/** What the button does. n8n answers the first page with the URL of the next ones. */
	async submit(...values: string[]) {
		await this.submitUntil(undefined, ...values);
	}

	/** The same, until the person closes the page. */
	async submitUntil(closed: AbortSignal | undefined, ...values: string[]) {
		const body = new FormData();
		for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
		const url = this.waitingUrl || this.url;
		const signal = closed ?? null;
		const request = { method: 'POST', headers, body, redirect: 'manual' as const, signal };
		const response = await fetch(url, request);
		if (this.waitingUrl === '') {
			const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
			this.waitingUrl = formWaitingUrl;
		} else {
			await response.text();
		}
	}

	/** What the page shows, now or when the workflow has come to the next one. */
	async page() {
		const status = new URL(this.waitingUrl);
		status.pathname += '/n8n-execution-status';
		while ((await (await fetch(status, { headers })).text()) !== 'form-waiting') await pause(50);
		return await this.reload();
	}

	async reload() {
		const response = await fetch(this.waitingUrl, { headers });
		return textOf(await response.text());
	}
}
