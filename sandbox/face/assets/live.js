// A browser allows six connections to one host, and every page that listens needs one. So all tabs share this one.
(() => {
	const ports = new Set();
	const notify = (name) => {
		for (const port of ports) port.postMessage(name);
	};
	const live = new EventSource('/live');
	for (const name of ['change', 'open', 'error']) live.addEventListener(name, () => notify(name));

	self.addEventListener('connect', ({ ports: [port] }) => {
		ports.add(port);
		port.addEventListener('message', () => ports.delete(port));
		port.start();
		// Something may have changed after the page was loaded and before it connected.
		port.postMessage('change');
	});
})();
