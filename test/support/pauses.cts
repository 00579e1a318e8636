import { workflowAtTempo } from './tempo.cts';

/** For `jest.mock('n8n-workflow', …)`. */
export = workflowAtTempo();
