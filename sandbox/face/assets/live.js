// A browser allows six connections to one host, and a page that listens keeps one. All tabs share this one.
(() => {
	const ports = new Set();
	const tell = (name) => {
		for (const port of ports) port.postMessage(name);
	};
	const live = new EventSource('/live');
	for (const name of ['change', 'open', 'error']) live.addEventListener(name, () => tell(name));

	self.addEventListener('connect', ({ ports: [port] }) => {
		ports.add(port);
		port.addEventListener('message', () => ports.delete(port));
		port.start();
		// Something may have changed between the page and its connection.
		port.postMessage('change');
	});
})();
