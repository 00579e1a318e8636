import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { FaultKind } from '../api/faults.cts';
import type { World } from '../stored/world.cts';
import { controlButton, countOf, countView, tableView, toShownTime, type Html } from './parts.cts';
import { variantsView } from './variants.cts';

/** The clock, faults, response variants, magic numbers and starting over. */

const clockView = ({ timeline, pace }: World): Html => {
	const request = `PUT ${demo.controlPath}/clock`;
	const advance = `POST ${demo.controlPath}/clock/advance`;
	return html`<section class="card">
		<h3>Clock</h3>
		<p>
			<strong data-now="${timeline.now}" data-speed="${pace.speed}"
				>${toShownTime(timeline.now)}</strong
			>
			UTC, ${pace.speed === 0 ? 'paused' : `speed ×${countView(pace.speed)}`}
		</p>
		<div class="row">
			${controlButton({
				label: 'Pause',
				request,
				values: { speed: 0 },
				done: 'The clock is paused.',
			})}
			${controlButton({ label: 'Normal Speed', request, values: { speed: 1 } })}
			${controlButton({ label: '×60', request, values: { speed: 60 } })}
			${controlButton({ label: '+5 Minutes', request: advance, values: { ms: 5 * 60_000 } })}
			${controlButton({ label: '+25 Hours', request: advance, values: { ms: 25 * 3_600_000 } })}
		</div>
	</section>`;
};

const oneRequest = 'The next request will fail this way.';

const faultButtons: ReadonlyArray<{
	label: string;
	values: { kind: FaultKind; times: number; ms?: number; status?: number };
	done: string;
}> = [
	{
		label: 'Slow: 2 Seconds',
		values: { kind: 'delay', ms: 2_000, times: 10 },
		done: 'The next 10 requests will be slow.',
	},
	{ label: 'Drop the Connection', values: { kind: 'reset', times: 1 }, done: oneRequest },
	{ label: 'Respond 503', values: { kind: 'status', status: 503, times: 1 }, done: oneRequest },
	{ label: 'Respond 429', values: { kind: 'status', status: 429, times: 1 }, done: oneRequest },
	{
		label: 'Process, Then Drop the Connection',
		values: { kind: 'commit-then-reset', times: 1 },
		done: oneRequest,
	},
	{ label: 'Never Respond', values: { kind: 'hang', times: 1 }, done: oneRequest },
];

const faultNames: Readonly<Record<FaultKind, string>> = {
	status: 'Respond with an error',
	reset: 'Drop the connection',
	hang: 'Never respond',
	delay: 'Slow',
	'commit-then-status': 'Process, then respond with an error',
	'commit-then-reset': 'Process, then drop the connection',
	'commit-then-hang': 'Process, then never respond',
};

const waitingView = ({ faults: { waiting } }: World): Html => {
	const { planned, random } = waiting;
	if (planned.length === 0 && random === null) {
		return html`<p class="soft">No faults planned.</p>`;
	}
	const percent = (rate: number) => `${Math.round(rate * 1_000) / 10}%`;
	return html`<ul>
		${planned.map(
			({ kind, times, after }) =>
				html`<li>
					${faultNames[kind]}: ${countOf(times, 'request')}
					left${after > 0 ? `, after ${countOf(after, 'request')}` : ''}
				</li>`,
		)}
		${random === null
			? ''
			: html`<li>
					${percent(random.rate)} of all requests:
					${random.kinds.map((kind) => faultNames[kind]).join(', ')}
				</li>`}
	</ul>`;
};

const faultsView = (world: World): Html =>
	html`<section class="card">
		<h3>Faults</h3>
		<p class="soft">Each applies to the next request. "Slow" applies to the next 10.</p>
		<div class="row">
			${faultButtons.map((button) =>
				controlButton({ ...button, request: `POST ${demo.controlPath}/faults` }),
			)}
			${controlButton({ label: 'Remove All Faults', request: `DELETE ${demo.controlPath}/faults` })}
		</div>
		${waitingView(world)}
	</section>`;

const magic: Readonly<Record<string, string>> = {
	mts: 'MTS, delivered',
	beeline: 'Beeline, delivered',
	megafon: 'MegaFon, delivered',
	tele2: 'Tele2, delivered',
	undelivered: 'never delivered, expires after 25 hours',
	unsent: 'unsent',
	slow: 'delivered after 10 minutes',
	unread: 'delivered, never read',
	smsOnly: 'can receive SMS only',
	noOperator: 'unknown operator',
	test: 'test number: accepts an SMS from any sender name',
};

const numbersView = (): Html =>
	html`<section class="card">
		<h3>Magic numbers</h3>
		<p class="soft">
			Send to one of these to get a certain outcome. A number that ends with 9990 and a message
			error code, such as 79169990453, fails with that code.
		</p>
		${tableView(
			['Number', 'Outcome', 'Copy'],
			Object.entries(demo.numbers).map(([name, number]) => ({
				id: `number-${number}`,
				cells: [
					number,
					magic[name] ?? name,
					html`<button class="small" data-copy="${number}">Copy</button>`,
				],
			})),
		)}
	</section>`;

const whatIsLost = 'This deletes all messages, dispatches, callbacks and changes. Continue?';
const whatStays = 'Clock, settings and inbound rules are unchanged.';

const resetView = (): Html => {
	const request = `POST ${demo.controlPath}/reset`;
	return html`<section class="card">
		<h3>Start over</h3>
		<div class="row">
			${controlButton({
				label: 'Reset to Demo Data',
				request,
				values: { data: 'demo', keepSetup: true },
				done: `The demo data is back. ${whatStays}`,
				confirm: whatIsLost,
			})}
			${controlButton({
				label: 'Reset to Empty',
				request,
				values: { data: 'empty', keepSetup: true },
				done: `The sandbox is empty. ${whatStays}`,
				confirm: whatIsLost,
			})}
		</div>
	</section>`;
};

export const controlsView = (world: World): Html =>
	html`<h2>Controls</h2>
		${clockView(world)} ${faultsView(world)} ${variantsView(world)} ${numbersView()} ${resetView()}`;
