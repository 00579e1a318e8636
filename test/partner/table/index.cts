import { companyRows } from './companies.cts';
import { dispatchRows } from './dispatches.cts';
import { otherRows } from './others.cts';
import type { Row } from '../../nodes/row.cts';
import { senderRows } from './senders.cts';

export const rows: Row[] = [...companyRows, ...senderRows, ...dispatchRows, ...otherRows];
