import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { World } from '../stored/world.cts';
import {
	controlButton,
	countOf,
	cutPage,
	none,
	pagerView,
	tableView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';
import { aboutOf, dispatchLink, phoneLink } from './people.cts';
import { decisionView, failForm } from './states.cts';

/** Messages that wait until a person decides what happens to them. */

const switchRequest = `PUT ${demo.controlPath}/hold`;

export const holdSwitch = ({ store: { isHolding } }: World): Html =>
	isHolding
		? controlButton({
				label: 'Stop Holding',
				request: switchRequest,
				values: { on: false },
				done: 'Messages are delivered as usual.',
			})
		: controlButton({
				label: 'Hold Deliveries',
				request: switchRequest,
				values: { on: true },
				done: 'From now on, messages wait for your decision.',
				isMain: true,
			});

/** On every page, because held messages would otherwise look like a fault. */
export const holdNotice = (world: World): Html => {
	const { isHolding, held } = world.store;
	if (!isHolding && held.size === 0) return none;
	return html`<aside class="notice wait" id="held-notice" aria-label="Held deliveries">
		<span
			>Deliveries are held.
			<a href="/held">${countOf(held.size, 'message waits', 'messages wait')}</a> for your
			decision.</span
		>
		${holdSwitch(world)}
	</aside>`;
};

const decideForAll = (): Html => {
	const request = `POST ${demo.controlPath}/held/status`;
	return html`<div class="row">
		<strong>All that wait:</strong>
		${controlButton({ label: 'Deliver All', request, values: { status: 'delivered' } })}
		${controlButton({ label: 'Expire All', request, values: { status: 'undelivered' } })}
		${failForm(request, false, 'Fail All')}
	</div>`;
};

const toHeldRow = (world: World, uuid: string) => {
	const message = world.store.byUuid.get(uuid);
	if (message === undefined) return [];
	const { sender, channel, dispatch } = aboutOf(world, message);
	const from = html`${sender} ·
	${channel}${dispatch === undefined ? none : html`<br />${dispatchLink(dispatch)}`}`;
	return [
		{
			id: `held-${uuid}`,
			cells: [
				phoneLink(world, message.destination),
				message.text.slice(0, 200),
				from,
				timeView(message.createdAt),
				decisionView(world, message),
			],
		},
	];
};

export const heldView = (world: World, query: Query): Html => {
	const cut = cutPage([...world.store.held], query.page);
	return html`<h2>Held deliveries</h2>
		<p class="soft">
			While deliveries are held, every new message waits here, single or of a dispatch. Messages
			that can't be sent, for example to a blacklisted number, fail at once.
		</p>
		${cut.total === 0
			? html`<section class="card">
					<p>
						No message waits.
						${world.store.isHolding ? 'Send one from n8n.' : 'Deliveries are not held.'}
					</p>
					${world.store.isHolding ? none : holdSwitch(world)}
				</section>`
			: html`<section class="card">
					${decideForAll()}
					${tableView(
						['Phone', '*Text', 'From', 'Created', 'Decide'],
						cut.items.flatMap((uuid) => toHeldRow(world, uuid)),
					)}
					${pagerView(cut, query)}
				</section>`}`;
};
