/** For `jest.mock('n8n-workflow', …)` in one line: n8n's sleep only moves the clock of ./tempo.cts. */
module.exports = require('./tempo.cts').workflowAtTempo();
