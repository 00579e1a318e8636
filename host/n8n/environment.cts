import { existsSync } from 'node:fs';
import path from 'node:path';
import { environmentWithNode24 } from '../process/node24.cjs';
import { machineTimeZone } from '../process/timeZone.cts';
import { owner, passwordHash } from './owner.cts';
import { isBefore, nodeOf, versionOf } from './version.cts';

/** Settings for another n8n, a test runner or a debugger must not leak into this one. */
const foreign =
	/^(N8N|DB|EXECUTIONS|QUEUE|CREDENTIALS|GENERIC|WEBHOOK|JEST|NODE_OPTIONS|NODE_ENV)(_|$)/;

/** Modules that aren't needed here; `mcp-registry` would call n8n's servers. */
const needlessModules = [
	'mcp-registry',
	'mcp',
	'instance-ai',
	'chat-hub',
	'agents',
	'agent-evals',
	'breaking-changes',
	'workflow-builder',
	'instance-version-history',
	'instance-reporting',
];

/** Further modules that only people at the editor need. */
const modulesOfTheEditor = [
	'insights',
	'external-secrets',
	'oauth-server',
	'provisioning',
	'source-control',
	'promotions',
	'dynamic-credentials',
	'sso-oidc',
	'sso-saml',
	'log-streaming',
	'ldap',
	'quick-connect',
	'favorites',
	'redaction',
	'instance-registry',
	'otel',
	'token-exchange',
	'encryption-key-manager',
	'oauth-jwe',
	'runtime-credentials',
	'n8n-packages',
	'workflow-reviews',
	'engine-v2',
	'policy-infrastructure',
	'type-availability-policies',
	'instance-reporting',
];

const offline = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	NO_PROXY: '127.0.0.1,localhost',
};

/** n8n doesn't start with a module name it doesn't know. */
function disabledModules(host: string) {
	const modules = path.join(host, 'node_modules', 'n8n', 'dist', 'modules');
	return needlessModules.filter((name) => existsSync(path.join(modules, name))).join(',');
}

/**
 * For an n8n that only tests use, over REST and webhooks: it starts in little more than half of the processor time. An older n8n has
 * other modules, so it keeps everything.
 */
export function withoutEditor(
	host: string,
	{ hasCode = true }: { hasCode?: boolean } = {},
): Record<string, string> {
	if (isBefore(versionOf(host), '2.41')) return {};
	return {
		// Without a Code node in its workflows, n8n doesn't need the process that runs the code.
		...(!hasCode && { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'unused' }),
		N8N_DISABLE_UI: 'true',
		N8N_DISABLED_MODULES: [disabledModules(host), ...modulesOfTheEditor].join(','),
	};
}

const communityPackages = {
	N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_REINSTALL_MISSING_PACKAGES: 'false',
};

interface ProcessSettings {
	/** The folder of the installed n8n. */
	host: string;
	/** The process's own folder. */
	folder: string;
	port: number;
	/** Different for every process, CLI commands included. */
	brokerPort: number;
	extra?: Record<string, string>;
}

/** The environment of one n8n process. */
export function n8nEnvironment({
	host,
	folder,
	port,
	brokerPort,
	extra,
}: ProcessSettings): NodeJS.ProcessEnv {
	const url = `http://127.0.0.1:${port}/`;
	const inherited = Object.entries(environmentWithNode24()).filter(([name]) => !foreign.test(name));
	return {
		...Object.fromEntries(inherited),
		PATH: `${path.dirname(nodeOf(host))}${path.delimiter}${process.env.PATH ?? ''}`,
		NODE_ENV: 'production',
		GENERIC_TIMEZONE: machineTimeZone(),
		N8N_USER_FOLDER: folder,
		// n8n leaves folders in TMPDIR. Here they are deleted together with its own folder.
		TMPDIR: path.join(folder, 'tmp'),
		// Fixed, so that credentials in a copied folder stay readable.
		N8N_ENCRYPTION_KEY: 'not-a-secret',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
		DB_TYPE: 'sqlite',
		DB_SQLITE_POOL_SIZE: '4',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_PROTOCOL: 'http',
		N8N_SECURE_COOKIE: 'false',
		// Its name before 2.30; a newer n8n warns about it.
		...(isBefore(versionOf(host), '2.30') && { WEBHOOK_URL: url }),
		N8N_WEBHOOK_URL: url,
		N8N_EDITOR_BASE_URL: url,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_TASK_TIMEOUT: '300',
		N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: '268435456',
		N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: owner.email,
		N8N_INSTANCE_OWNER_FIRST_NAME: owner.firstName,
		N8N_INSTANCE_OWNER_LAST_NAME: owner.lastName,
		N8N_INSTANCE_OWNER_PASSWORD_HASH: passwordHash(host),
		...offline,
		N8N_DISABLED_MODULES: disabledModules(host),
		...communityPackages,
		...extra,
	};
}
