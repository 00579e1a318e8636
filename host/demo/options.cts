import { parseArgs } from 'node:util';
import { demo } from '../../sandbox/demo.cts';
import { Problem } from '../process/problem.cts';

/** Where n8n and the sandbox listen by default. */
export const usualPorts = { n8n: 5678, sandbox: demo.port };

function readPort(text: string | undefined, flag: string) {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1024 || port > 65535) {
		throw new Problem(`--${flag} needs a port number from 1024 to 65535, not "${text}".`);
	}
	return port;
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string' },
				'sandbox-port': { type: 'string' },
				'no-open': { type: 'boolean', default: false },
				reset: { type: 'boolean', default: false },
				smoke: { type: 'boolean', default: false },
				only: { type: 'string', multiple: true, default: [] },
			},
		}).values;
	} catch (error) {
		const [reason] = error instanceof Error ? error.message.split(/\.\s/) : [];
		throw new Problem(`${reason}. See npm run demo -- --help.`);
	}
}

export interface DemoOptions {
	port?: number;
	sandboxPort?: number;
	/** Whether to open n8n and the sandbox's page in a browser. */
	opens: boolean;
	reset: boolean;
	smoke: boolean;
	/** Parts of the file names of the workflows that `smoke` runs. Empty if it runs all. */
	only: string[];
}

export function readOptions(args: string[]): DemoOptions {
	const { port, 'sandbox-port': sandboxPort, 'no-open': staysClosed, ...flags } = parse(args);
	const ports = {
		port: readPort(port, 'port'),
		sandboxPort: readPort(sandboxPort, 'sandbox-port'),
	};
	const { port: n8nPort = usualPorts.n8n, sandboxPort: servicePort = usualPorts.sandbox } = ports;
	if (n8nPort === servicePort) {
		throw new Problem(
			`n8n and the sandbox can't both use port ${n8nPort}. Set --port and --sandbox-port to different numbers.`,
		);
	}
	if (flags.smoke && flags.reset) {
		throw new Problem(
			"--smoke always starts with an empty folder, so it can't be combined with --reset.",
		);
	}
	if (flags.only.includes('')) throw new Problem('--only needs a part of a file name.');
	if (flags.only.length > 0 && !flags.smoke) throw new Problem('--only needs --smoke.');
	return { ...flags, opens: !staysClosed, ...ports };
}
