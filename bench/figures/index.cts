import type { Figure } from '../support/figure.cts';
import { blacklistAdd } from './blacklistAdd.cts';
import { dispatchCost } from './dispatchCost.cts';
import { dispatchExpressions } from './dispatchExpressions.cts';
import { dispatchGrowth } from './dispatchGrowth.cts';
import { dispatchName } from './dispatchName.cts';
import { dispatchReport } from './dispatchReport.cts';
import { messageGetMany } from './messageGetMany.cts';
import { messageSend } from './messageSend.cts';
import { packageItself } from './package.cts';
import { queue } from './queue.cts';
import { sandboxPage } from './sandboxPage.cts';
import { trigger } from './trigger.cts';

/** In the order of the table. */
export const figures: readonly Figure[] = [
	dispatchCost,
	dispatchGrowth,
	dispatchExpressions,
	dispatchName,
	dispatchReport,
	messageSend,
	messageGetMany,
	blacklistAdd,
	trigger,
	queue,
	sandboxPage,
	packageItself,
];
