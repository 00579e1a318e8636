import { exchangeAtTempo, workflowAtTempo } from '../../support/tempo.cts';

// Pauses and time limits are not what is tested here: those that are say so.
jest.mock('n8n-workflow', () => workflowAtTempo());
jest.mock('../../../core/transport/exchange', () => exchangeAtTempo());
