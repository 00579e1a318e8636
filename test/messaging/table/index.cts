import type { Row } from '../../nodes/row.cts';
import { accountRows } from './account.cts';
import { dispatchRows } from './dispatches.cts';
import { entityRows } from './entities.cts';
import { messageRows } from './messages.cts';
import { sendingRows } from './sending.cts';

export const rows: Row[] = [
	...sendingRows,
	...messageRows,
	...dispatchRows,
	...accountRows,
	...entityRows,
];
