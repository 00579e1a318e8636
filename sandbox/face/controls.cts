import { html } from 'hono/html';
import { demo } from '../demo.cts';
import { dialectOptions } from '../dialect.cts';
import type { World } from '../world.cts';
import { controlButton, countView, none, timeView, type Html } from './parts.cts';

/** The clock, faults, dialects, magic numbers and starting over. */

const clockView = ({ timeline, pace }: World): Html =>
	html`<section class="card">
		<h3>Clock</h3>
		<p>
			<strong>${timeView(timeline.now)}</strong> UTC,
			${pace.speed === 0
				? 'paused'
				: html`${countView(pace.speed)} ${pace.speed === 1 ? 'second' : 'seconds'} per second`}
		</p>
		<div class="row">
			${controlButton(
				'Pause',
				`PUT ${demo.controlPath}/clock`,
				{ speed: 0 },
				'The clock stands still.',
			)}
			${controlButton('Normal speed', `PUT ${demo.controlPath}/clock`, { speed: 1 })}
			${controlButton('×60', `PUT ${demo.controlPath}/clock`, { speed: 60 })}
			${controlButton('+5 minutes', `POST ${demo.controlPath}/clock/advance`, { ms: 5 * 60_000 })}
			${controlButton('+25 hours', `POST ${demo.controlPath}/clock/advance`, {
				ms: 25 * 3_600_000,
			})}
		</div>
	</section>`;

const faultButtons: ReadonlyArray<
	readonly [label: string, fault: Record<string, string | number>]
> = [
	['Slow: 2 seconds', { kind: 'delay', ms: 2_000, times: 10 }],
	['Lose the connection', { kind: 'reset', times: 1 }],
	['Answer 503', { kind: 'status', status: 503, times: 1 }],
	['Answer 429', { kind: 'status', status: 429, times: 1 }],
	['Carry out, then drop', { kind: 'commit-then-reset', times: 1 }],
	['Never answer', { kind: 'hang', times: 1 }],
];

const faultsView = ({ faults }: World): Html => {
	const waiting = faults.waiting;
	return html`<section class="card">
		<h3>Faults</h3>
		<p class="soft">For the next request, or the next ten.</p>
		<div class="row">
			${faultButtons.map(([label, fault]) =>
				controlButton(label, `POST ${demo.controlPath}/faults`, fault, 'It will happen.'),
			)}
			${controlButton('No more faults', `DELETE ${demo.controlPath}/faults`)}
		</div>
		<pre>${JSON.stringify(waiting, null, 1).slice(0, 2_000)}</pre>
	</section>`;
};

const dialectView = ({ store }: World): Html =>
	html`<form
		class="card"
		id="dialect"
		data-control="PUT ${demo.controlPath}/settings"
		data-done="It answers like that now."
	>
		<h3>Dialect</h3>
		<p class="soft">How it answers where nobody knows how the service does.</p>
		<div class="row">
			${Object.entries(dialectOptions).map(
				([name, options]) =>
					html`<label
						>${name}
						<select name="dialect.${name}">
							${options.map(
								(option: string) =>
									html`<option
										${(store.settings.dialect as Record<string, unknown>)[name] === option
											? 'selected'
											: ''}
									>
										${option}
									</option>`,
							)}
						</select>
					</label>`,
			)}
			<button>Use</button>
		</div>
	</form>`;

const magic: Readonly<Record<string, string>> = {
	mts: 'MTS, delivered',
	beeline: 'Beeline, delivered',
	megafon: 'MegaFon, delivered',
	tele2: 'Tele2, delivered',
	undelivered: 'not delivered within its lifetime',
	unsent: 'cannot be sent',
	slow: 'delivered late',
	unread: 'delivered, never read',
	smsOnly: 'has SMS only',
	noOperator: 'belongs to no operator',
	test: 'takes an SMS from any sender name',
};

const numbersView = (): Html =>
	html`<section class="card scroll">
		<h3>Magic numbers</h3>
		<table>
			<thead>
				<tr>
					<th>Number</th>
					<th>What happens</th>
					<th>Copy</th>
				</tr>
			</thead>
			<tbody>
				${Object.entries(demo.numbers).map(
					([name, number]) =>
						html`<tr id="number-${number}">
							<td>${number}</td>
							<td>${magic[name] ?? name}</td>
							<td><button class="small" data-copy="${number}">Copy</button></td>
						</tr>`,
				)}
			</tbody>
		</table>
	</section>`;

export const controlsView = (world: World): Html =>
	html`<h2>Controls</h2>
		${clockView(world)} ${faultsView(world)} ${dialectView(world)} ${numbersView()}
		<section class="card">
			<h3>Start over</h3>
			<div class="row">
				${controlButton(
					'Reset to the demo data',
					`POST ${demo.controlPath}/reset`,
					{ data: 'demo' },
					'Everything is as at the start.',
				)}
				${controlButton('Reset to nothing', `POST ${demo.controlPath}/reset`, { data: 'empty' })}
			</div>
		</section>
		${none}`;
