// Who may import whom. Type-only imports count: a circle of types is as hard to read as any other.

/** From the ground up: each room may use those before it, and none after it. */
const rooms = {
	vendor: '^vendor/',
	json: '^core/(json|value)\\.ts$',
	contract: '^core/contract/',
	transport: '^core/transport/',
	recipients: '^core/recipients/',
	engine: '^core/engine/',
	shared: '^nodes/shared/',
	dispatches: '^nodes/dispatches/',
	nodes: '^nodes/',
};
const shipped = '^(core|nodes|credentials|vendor)/';

const upward = (from, ...to) => ({
	name: `${from}-knows-nothing-above`,
	comment: `${from} may not import ${to.join(', ')}`,
	severity: 'error',
	from: { path: rooms[from] },
	to: { path: to.map((room) => rooms[room]) },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
		{
			name: 'shipped-stands-alone',
			comment:
				'What users install uses nothing of the tests, the sandbox, the host and the scripts.',
			severity: 'error',
			from: { path: shipped },
			to: { path: '^(test|sandbox|host|bench|scripts)/' },
		},
		{
			name: 'a-node-knows-no-other-node',
			comment: 'What two nodes need is in core, in nodes/shared or in nodes/dispatches.',
			severity: 'error',
			from: { path: '^nodes/(BulkMessaging[^/]*)/' },
			to: { path: '^nodes/BulkMessaging[^/]*/', pathNot: '^nodes/$1/' },
		},
		{
			name: 'an-operation-knows-no-other-resource',
			comment: 'What two resources need is in the shared folder of the node.',
			severity: 'error',
			// A resource is a folder or a single file.
			from: {
				path: '^nodes/[^/]+/resources/([^/.]+)(/|\\.ts$)',
				pathNot: '/resources/index\\.ts$',
			},
			to: { path: '^nodes/[^/]+/resources/', pathNot: '/resources/$1(/|\\.ts$)' },
		},
		{
			name: 'screen-plan-steps',
			comment: 'The screen of a dispatch does not know how it is sent, and planning does not send.',
			severity: 'error',
			from: { path: '^nodes/dispatches/(params|plan)/' },
			to: { path: '^nodes/dispatches/(ask|steps)/' },
		},
		{
			name: 'the-sandbox-knows-the-contract-only',
			comment:
				'It plays the service: what it shared with the nodes would agree with them for ever.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: ['^nodes/', '^core/(engine|transport)/', '^test/'] },
		},
		{
			name: 'a-host-for-every-package',
			comment: 'These folders can be copied to another community package.',
			severity: 'error',
			from: { path: '^host/(n8n|process|queue)/' },
			to: { path: '^', pathNot: '^host/(n8n|process|queue)/' },
		},
		{
			name: 'the-page-of-the-sandbox-is-on-top',
			comment:
				'What is stored and what happens over time knows neither the page nor the control routes.',
			severity: 'error',
			from: { path: '^sandbox/(stored|time|api|control)/' },
			to: { path: '^sandbox/face/' },
		},
		{
			name: 'the-service-knows-no-controls',
			severity: 'error',
			from: { path: '^sandbox/(stored|time|api)/' },
			to: { path: '^sandbox/control/' },
		},
		upward('vendor', 'json', 'contract', 'transport', 'recipients', 'engine', 'nodes'),
		upward('contract', 'transport', 'recipients', 'engine', 'nodes'),
		upward('transport', 'recipients', 'engine', 'nodes'),
		upward('recipients', 'transport', 'engine', 'nodes'),
		upward('engine', 'nodes'),
		{
			...upward('shared', 'nodes'),
			to: { path: '^nodes/', pathNot: rooms.shared },
		},
		{
			...upward('dispatches', 'nodes'),
			to: { path: '^nodes/', pathNot: '^nodes/(shared|dispatches)/' },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.check.json' },
		doNotFollow: { path: 'node_modules' },
		includeOnly: ['^(core|nodes|credentials|vendor|sandbox|test|host|bench|scripts)/'],
	},
};
