import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes a settings file: into a folder of each test file's own.
const userFolder = mkdtempSync(join(tmpdir(), 'n8n-core-'));
process.env.N8N_USER_FOLDER = userFolder;
afterAll(() => rmSync(userFolder, { recursive: true, force: true }));
