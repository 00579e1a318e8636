import type { Figure } from '../support/figure.cts';
import { blacklistAdd } from './blacklistAdd.cts';
import { dispatchCreate } from './dispatchCreate.cts';
import { dispatchExpressions } from './dispatchExpressions.cts';
import { dispatchGrowth } from './dispatchGrowth.cts';
import { messageGetMany } from './messageGetMany.cts';
import { packageItself } from './package.cts';

/** In the order of the table. */
export const figures: readonly Figure[] = [
	dispatchCreate,
	dispatchGrowth,
	dispatchExpressions,
	messageGetMany,
	blacklistAdd,
	packageItself,
];
