import { parseArgs } from 'node:util';
import { demo } from '../../sandbox/demo.cts';
import { Problem } from '../process/problem.cts';
import { stateFolder } from './state.cts';

/** Where n8n and the sandbox listen unless somebody chooses otherwise. */
export const usualPorts = { n8n: 5678, sandbox: demo.port };

export const help = () => `npm run demo [-- options]

Starts a real n8n with this package and a sandbox of the service, both on 127.0.0.1, and shows where to sign in.
The first start downloads n8n (about 700 MB) and takes some minutes; later ones take seconds. Ctrl-C stops it.

  --port N          the port of n8n (${usualPorts.n8n})
  --sandbox-port N  the port of the sandbox (${usualPorts.sandbox})
  --no-open         do not open the two addresses in a browser
  --reset           start over: forget everything that was made in the demo
  --smoke           run every workflow of workflows/ once in a demo of its own, print a table, and end
  --help            this text

What the demo keeps is in ${stateFolder()}
(another place: set BULK_MESSAGING_DEMO_FOLDER).`;

function readPort(text: string | undefined, flag: string) {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1024 || port > 65535) {
		throw new Problem(`--${flag} takes a port number from 1024 to 65535, not "${text}".`);
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
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		const [reason] = error instanceof Error ? error.message.split('. ') : [];
		throw new Problem(`${reason}. See npm run demo -- --help.`);
	}
}

export interface DemoOptions {
	port?: number;
	sandboxPort?: number;
	/** Whether to show both addresses in a browser. */
	opens: boolean;
	reset: boolean;
	smoke: boolean;
	help: boolean;
}

export function readOptions(args: string[]): DemoOptions {
	const { port, 'sandbox-port': sandboxPort, 'no-open': staysClosed, ...flags } = parse(args);
	const ports = {
		port: readPort(port, 'port'),
		sandboxPort: readPort(sandboxPort, 'sandbox-port'),
	};
	if (ports.port !== undefined && ports.port === ports.sandboxPort) {
		throw new Problem('n8n and the sandbox need two different ports.');
	}
	if (flags.smoke && flags.reset) {
		throw new Problem('--smoke runs in a folder of its own, so --reset has no meaning with it.');
	}
	return { ...flags, opens: !staysClosed, ...ports };
}
