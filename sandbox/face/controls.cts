import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { FaultKind } from '../api/faults.cts';
import type { World } from '../stored/world.cts';
import { controlButton, countOf, countView, tableView, toShownTime, type Html } from './parts.cts';
import { holdSwitch } from './held.cts';
import { toShownNumber } from './people.cts';
import { variantsView } from './variants.cts';

/** What a person can do to the sandbox, by task. */

const timePanel = ({ timeline, pace }: World): Html => {
	const request = `PUT ${demo.controlPath}/clock`;
	const advance = `POST ${demo.controlPath}/clock/advance`;
	return html`<section class="card" id="time">
		<h3>Let time pass</h3>
		<p>
			<strong class="figure" data-now>${toShownTime(timeline.now)}</strong>
			(${pace.speed === 0 ? 'paused' : `speed ×${countView(pace.speed)}`})
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
		<p class="facts">
			After 25 hours, messages that weren't delivered expire. Failed callbacks are resent every 5
			minutes. n8n has its own clock: a Wait node doesn't notice.
		</p>
	</section>`;
};

const oneRequest = 'The next request will fail this way.';

const faultButtons: ReadonlyArray<{
	label: string;
	values: { kind: FaultKind; times: number; ms?: number; status?: number };
	done: string;
}> = [
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

export const faultNames: Readonly<Record<FaultKind, string>> = {
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

const settingsRequest = `PUT ${demo.controlPath}/settings`;

const failPanel = (world: World): Html =>
	html`<section class="card" id="fail">
		<h3>Make it fail</h3>
		<h4>A message</h4>
		<p>
			Hold deliveries, send the message from n8n, then choose what happens to it: deliver, read,
			fail with an error code, or expire. It works for single messages and dispatches.
		</p>
		<div class="row">
			${holdSwitch(world)} <a href="/held">${countOf(world.store.held.size, 'held message')}</a>
		</div>
		<p>Or send to a <a href="#numbers">magic number</a>, or let a share of all messages fail:</p>
		<div class="row">
			${controlButton({
				label: 'Every 10th Fails',
				request: settingsRequest,
				values: { deliveredShare: 0.9 },
				done: 'About one message in ten will not be delivered.',
			})}
			${controlButton({
				label: 'All Arrive',
				request: settingsRequest,
				values: { deliveredShare: 1 },
			})}
			<span class="facts"
				>Now ${Math.round(world.store.settings.deliveredShare * 100)}% arrive.</span
			>
		</div>
		<h4>A request</h4>
		<p>The next request to either API:</p>
		<div class="row">
			${faultButtons.map((button) =>
				controlButton({ ...button, request: `POST ${demo.controlPath}/faults` }),
			)}
			${controlButton({ label: 'Remove All Faults', request: `DELETE ${demo.controlPath}/faults` })}
		</div>
		<p class="facts">
			"Process, Then Drop" is the hard case: the message is sent, but n8n doesn't know.
		</p>
		${waitingView(world)}
	</section>`;

const slowPanel = ({ store: { settings } }: World): Html =>
	html`<section class="card" id="slow">
		<h3>Make it slow</h3>
		<div class="row">
			${controlButton({
				label: 'Responses: 2 Seconds Later',
				request: `POST ${demo.controlPath}/faults`,
				values: { kind: 'delay', ms: 2_000, times: 10 },
				done: 'The next 10 requests will be slow.',
			})}
			${controlButton({
				label: 'Deliveries: After a Minute',
				request: settingsRequest,
				values: { deliveredAfterMs: 60_000 },
			})}
			${controlButton({
				label: 'Deliveries: After 2 Seconds',
				request: settingsRequest,
				values: { deliveredAfterMs: 2_000 },
			})}
		</div>
		<p class="facts">
			Slow responses apply to the next 10 requests. Deliveries take at least
			${countView(settings.deliveredAfterMs / 1_000)} seconds now.
		</p>
	</section>`;

const { numbers } = demo;

/** What happens to messages to each number. */
export const magicNumbers: Readonly<Record<string, string>> = {
	[numbers.mts]: 'MTS, delivered',
	[numbers.beeline]: 'Beeline, delivered',
	[numbers.megafon]: 'MegaFon, delivered',
	[numbers.tele2]: 'Tele2, delivered',
	[numbers.undelivered]: 'never delivered, expires after 25 hours',
	[numbers.unsent]: 'unsent',
	[numbers.slow]: 'delivered after 10 minutes',
	[numbers.unread]: 'delivered, never read',
	[numbers.smsOnly]: 'can receive SMS only',
	[numbers.noOperator]: 'unknown operator',
	[numbers.test]: 'test number: accepts an SMS from any sender name',
};

const numbersView = (): Html =>
	html`<section class="card" id="numbers">
		<h3>Magic numbers</h3>
		<p class="soft">
			Send to one of these to get a certain outcome. A number that ends with 9990 and a message
			error code, such as 79169990453, fails with that code.
		</p>
		${tableView(
			['Number', '*Outcome', 'Copy'],
			Object.entries(magicNumbers).map(([number, outcome]) => ({
				id: `number-${number}`,
				cells: [
					html`<span class="no-break">${toShownNumber(number)}</span>`,
					outcome,
					html`<button class="small" data-copy="${number}">Copy</button>`,
				],
			})),
		)}
	</section>`;

const whatIsLost = 'This deletes all messages, dispatches, callbacks and changes. Continue?';
const whatStays = 'Clock, settings and inbound rules are unchanged.';

const resetView = (): Html => {
	const request = `POST ${demo.controlPath}/reset`;
	return html`<section class="card" id="reset">
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
		<nav class="choices" aria-label="On this page">
			<a href="#fail">Make it fail</a><a href="#slow">Make it slow</a
			><a href="#variants">Another response format</a><a href="#time">Let time pass</a
			><a href="#numbers">Magic numbers</a><a href="#reset">Start over</a>
		</nav>
		${failPanel(world)} ${slowPanel(world)} ${variantsView(world)} ${timePanel(world)}
		${numbersView()} ${resetView()}`;
