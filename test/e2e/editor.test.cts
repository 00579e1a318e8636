import { customApiCall } from './editor/customApiCall.cts';
import { firstWorkflow } from './editor/firstWorkflow.cts';
import { fromAList } from './editor/list.cts';
import { panels } from './editor/panels.cts';
import { plainButton } from './editor/plainButton.cts';
import { trigger } from './editor/trigger.cts';

/** In one n8n and one browser: only these tests need n8n's editor, and loading it takes as long as most of them. */

describe('a first workflow', firstWorkflow);
describe('from a list to a row for each person', fromAList);
describe('what a node shows before anything is typed', panels);
describe('the button of a sample', plainButton);
describe('the trigger', trigger);
describe('other endpoints', customApiCall);
