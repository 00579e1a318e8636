import { readFileSync } from 'node:fs';
import { fingerprint } from './host/process/fingerprint.cts';
import { manifest } from './host/n8n/manifest.cts';
import { isBefore } from './host/n8n/version.cts';
for (const version of process.argv.slice(2)) {
	const { overrides } = JSON.parse(readFileSync(manifest, 'utf8')) as { overrides: object };
	const text = JSON.stringify({
		private: true,
		dependencies: { n8n: version, ...(isBefore(version, '2.36') && { node: '22.23.3' }) },
		overrides: { ...overrides, xlsx: '0.18.5' },
		allowScripts: { node: true },
	});
	console.log(`host-${version}-${fingerprint(text, `${process.platform} ${process.arch}`)}`);
}
