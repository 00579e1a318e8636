import { workflowAtTempo } from '../../support/tempo.cts';

// Pauses are not what is tested here: those that are say so.
jest.mock('n8n-workflow', () => workflowAtTempo());
