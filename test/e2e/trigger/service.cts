import { messaging } from '../../../core/contract/messaging';
import { partner } from '../../../core/contract/partner';
import { demo } from '../../../sandbox/demo.cts';
import { startSandbox } from '../../../sandbox/server.cts';
import { undoAfterwards } from '../support/cleanup.cts';

const minute = 60_000;

/** The service in the process of the test. Its clock stands still unless the test moves it. */
export async function startService() {
	const running = await startSandbox({ port: 0, speed: 0 });
	undoAfterwards(running.close);
	const { sandbox } = running;
	/** Logged in anew: days may have passed since the last time. */
	const client = () => sandbox.client();
	const control = async (method: string, path: string, body: unknown) => {
		const response = await fetch(running.controlUrl + path, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
	};
	return {
		sandbox,
		control,
		advance: async (ms: number) => await sandbox.advance(ms),
		/** Every callback has got its 2xx, after as many resends as it takes. */
		async deliverAll() {
			await sandbox.advance(minute);
			while (sandbox.callbacks.some(({ state }) => state === 'pending'))
				await sandbox.advance(5 * minute);
		},
		/** A dispatch to so many numbers; its callbacks come when the clock moves. Gives the IDs of its messages. */
		async dispatch(
			count: number,
			callbackUrl: string,
			callbackEvents: Array<'delivered' | 'sent'>,
		) {
			const { call } = client();
			const { id, messages } = await call(partner.dispatchCreate, {
				body: {
					companyId: demo.companies.flowers,
					name: 'Callbacks',
					senderIds: [demo.senders.mts],
					channelType: 'SMS',
					text: 'Tulips are here',
					messages: Array.from({ length: count }, (_, index) => ({
						destination: `7916${String(1_000_000 + index)}`,
					})),
					callbackUrl,
					callbackEvents,
				},
			});
			await call(partner.dispatchStart, { path: { id } });
			return messages.map(({ messageUuid }) => messageUuid);
		},
		/** One message on VIBER with a short link, about which everything is told. */
		async message(callbackUrl: string, destination: string) {
			const { items } = await client().call(messaging.messageSend, {
				body: [
					{
						channelType: 'VIBER',
						senderName: demo.senderNames.viber,
						destination,
						content: { contentType: 'text', text: 'Look: https://shop.example/tulips' },
						shortUrl: true,
						externalMessageId: 'crm-17',
						callbackUrl,
						callbackEvents: ['delivered', 'sent', 'read', 'price', 'click'],
					},
				],
			});
			return String(items[0].messageUuid);
		},
	};
}
export type Service = Awaited<ReturnType<typeof startService>>;
