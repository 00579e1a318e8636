// n8n's strict configuration covers every *.ts and may not be changed. Files that touch Node's own modules (tests, the
// sandbox's server, scripts) are *.cts, which it does not cover: they are held to the same rules for TypeScript here.
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(globalIgnores(['dist']), {
	files: ['**/*.cts'],
	extends: [tseslint.configs.recommended],
});
