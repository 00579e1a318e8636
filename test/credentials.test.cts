import { BulkMessagingApi } from '../credentials/BulkMessagingApi.credentials';
import { BulkMessagingPartnerApi } from '../credentials/BulkMessagingPartnerApi.credentials';

/** n8n copies a credential's own properties. Whatever is a method is lost then. */
test.each([new BulkMessagingApi(), new BulkMessagingPartnerApi()])(
	'$displayName works in the HTTP Request node, and its node offers Custom API Call',
	(credential) => {
		expect({ ...credential }.authenticate).toBeInstanceOf(Function);
	},
);
