import type { Resource } from '../../../../core/engine/operation';
import { estimateCost } from './estimateCost';
import { getSenderFees } from './getSenderFees';
import { getTariffs } from './getTariffs';

export const price: Resource = {
	value: 'price',
	name: 'Price',
	description: 'What messages and sender names cost',
	operations: [estimateCost, getSenderFees, getTariffs],
};
