import { plainRowOf } from '../../nodes/plain.cts';
import { rows } from './index.cts';

export const plainRow = plainRowOf(rows);
