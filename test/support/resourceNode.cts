import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { toProperties } from '../../core/engine/properties';
import type { Resource } from '../../core/engine/operation';
import { runNode } from '../../core/engine/run';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { outcomeFields } from '../../nodes/shared/outcomeFields';

/** A node of the engine with resources of a test. `logged` gets what it writes into the log of n8n as an error. */
export const resourceNode = (
	resources: readonly Resource[],
	logged: (text: string) => void = () => undefined,
): INodeType => ({
	description: { ...new BulkMessagingPartner().description, properties: toProperties(resources) },
	async execute(this: IExecuteFunctions) {
		const logger = Object.create(this.logger, { error: { value: logged } }) as object;
		const context = Object.create(this, { logger: { value: logger } }) as IExecuteFunctions;
		return await runNode(context, resources, outcomeFields);
	},
});
