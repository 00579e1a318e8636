import type { Resource } from '../../../core/engine/operation';
import { company } from './company';

/** Everything the node can do. The order is the one in the documentation; n8n's lists are sorted by name. */
export const resources: readonly Resource[] = [company];
