/* global Idiomorph -- served beside this file */
// Links and searches work without this script. It keeps the page up to date and sends the requests of its buttons.
(() => {
	const main = document.querySelector('main');
	const status = document.querySelector('#status');

	/** Shows a status message. Screen readers announce it even if the text is the same as before. */
	const say = (kind, text) => {
		status.textContent = '';
		status.dataset.kind = kind;
		requestAnimationFrame(() => (status.textContent = text));
	};

	/** Fields that the user has changed and not sent yet: an update leaves them alone. */
	let changed = new WeakSet();
	document.addEventListener('input', ({ target }) => changed.add(target));

	const morphOptions = {
		morphStyle: 'innerHTML',
		callbacks: {
			beforeNodeMorphed: (old) => !changed.has(old),
			// The user opens and closes these.
			beforeAttributeUpdated: (name, node) => !(name === 'open' && node.tagName === 'DETAILS'),
		},
	};

	/** A conversation that is read to its end follows new messages, as on a phone. */
	const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < 40;
	const scrollToEnd = () => {
		for (const list of main.querySelectorAll('.bubbles')) list.scrollTop = list.scrollHeight;
	};

	// A list that is hidden, as on a narrow screen, loses its position.
	let listTop = 0;
	document.addEventListener(
		'scroll',
		({ target }) => {
			if (target.classList?.contains('list')) listTop = target.scrollTop;
		},
		true,
	);

	let shownAt = performance.now();
	let isAsking = false;
	let isStale = false;
	/** Loads the current content and changes only the differences, so that focus and selection stay. */
	const refresh = async () => {
		isStale = true;
		if (isAsking || document.hidden) return;
		isAsking = true;
		while (isStale) {
			isStale = false;
			try {
				const response = await fetch(location.href, { headers: { 'x-part': 'main' } });
				if (!response.ok) throw new Error(`The sandbox responded with ${response.status}.`);
				const content = await response.text();
				const list = main.querySelector('.bubbles');
				const follows = list === null || isAtEnd(list);
				const focused = document.activeElement;
				const nextRow = focused.closest('tr')?.nextElementSibling;
				Idiomorph.morph(main, content, morphOptions);
				// If a button is gone with its row, the keyboard continues at the next row: at its link, so that Enter decides nothing.
				if (!focused.isConnected) {
					const next = nextRow?.isConnected ? nextRow.querySelector('a, button') : null;
					(next ?? main).focus({ preventScroll: true });
				}
				shownAt = performance.now();
				tellTimes();
				// Another conversation begins at its end, too.
				if (follows || main.querySelector('.bubbles')?.id !== list.id) scrollToEnd();
				const phones = main.querySelector('.list');
				if (phones !== null) phones.scrollTop = listTop;
			} catch (error) {
				say('failed', error.message);
			}
		}
		isAsking = false;
	};

	const handlers = {
		change: refresh,
		open: () => {
			if (status.dataset.kind === 'lost') say('done', '');
		},
		error: () => say('lost', 'Connection lost. Reconnecting…'),
	};
	const listen = () => {
		if (typeof SharedWorker === 'undefined') {
			const live = new EventSource('/live');
			for (const [name, handler] of Object.entries(handlers)) live.addEventListener(name, handler);
			return;
		}
		const { port } = new SharedWorker('/assets/live.js');
		port.addEventListener('message', ({ data }) => handlers[data]());
		port.start();
		addEventListener('pagehide', () => port.postMessage('bye'));
		// A page restored from the browser's cache has already sent "bye", so it must connect again.
		addEventListener('pageshow', ({ persisted }) => {
			if (persisted) location.reload();
		});
	};
	document.addEventListener('visibilitychange', refresh);

	// A URL without a number shows the newest conversation. Once the user works in one, it stays.
	const stay = ({ target }) => {
		const number = target.closest?.('[data-number]')?.dataset.number;
		const url = new URL(location.href);
		if (number === undefined || url.searchParams.has('number')) return;
		url.searchParams.set('number', number);
		history.replaceState(null, '', url);
	};
	document.addEventListener('focusin', stay);
	document.addEventListener('toggle', stay, true);

	const units = [
		['day', 86_400_000],
		['hour', 3_600_000],
		['minute', 60_000],
		['second', 1_000],
	];
	const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
	const toRelative = (ms) => {
		const [unit, size] = units.find(([, least]) => Math.abs(ms) >= least) ?? units.at(-1);
		return relative.format(Math.round(ms / size), unit);
	};

	/** Shows the sandbox's clock and how long ago everything happened. The clock moves between two updates. */
	const tellTimes = () => {
		const { value, dataset } = main.querySelector('#clock');
		const now = Number(value) + (performance.now() - shownAt) * Number(dataset.speed);
		for (const clock of main.querySelectorAll('[data-now]')) {
			const local = new Date(now + Number(dataset.zone));
			clock.textContent = local.toISOString().slice(0, 19).replace('T', ' ');
		}
		for (const time of main.querySelectorAll('time[data-relative]')) {
			const text = toRelative(Date.parse(time.dateTime) - now);
			if (time.textContent !== text) time.textContent = text;
		}
	};
	setInterval(tellTimes, 500);

	// Links between the list of phones and a conversation change only what differs, so that the list stays where it is.
	document.addEventListener('click', (event) => {
		const link = event.target.closest('a[data-swap]');
		if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) {
			return;
		}
		event.preventDefault();
		history.pushState(null, '', link.href);
		// A half-typed reply belongs to the conversation that the user leaves.
		changed = new WeakSet();
		refresh().then(() => {
			// On a narrow screen, the link that had the focus may be hidden now.
			if (document.activeElement?.checkVisibility() !== true) main.focus();
		});
	});
	addEventListener('popstate', refresh);

	const readAs = {
		number: Number,
		boolean: (text) => text === 'true',
		list: (text) =>
			text
				.split(',')
				.map((one) => one.trim())
				.filter(Boolean),
		text: (text) => text,
	};
	const bodyOf = (form, submitter) => {
		const body = {};
		for (const field of form.elements) {
			if (!field.name || field.tagName === 'BUTTON') continue;
			if (field.value === '' && !field.required) continue;
			body[field.name] = readAs[field.dataset.as || 'text'](field.value);
		}
		// A button with a value, such as STOP, replaces what is typed.
		if (submitter?.name) body[submitter.name] = submitter.value;
		return body;
	};

	/** Sends a form with data-control to the control routes: "POST /_sandbox/…". */
	const send = async (form, submitter) => {
		const [method, path] = form.dataset.control.split(' ');
		say('done', 'Working…');
		const response = await fetch(path, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(bodyOf(form, submitter)),
		});
		const reply = await response.json().catch(() => ({}));
		if (!response.ok) {
			throw new Error(reply.error?.msg ?? `The sandbox responded with ${response.status}.`);
		}
		say('done', form.dataset.done ?? 'Done.');
		if (submitter?.name) return;
		for (const field of form.elements) changed.delete(field);
		if (form.dataset.clear !== undefined) form.reset();
	};

	/** Forms whose request is under way: a second press does nothing. */
	const busy = new WeakSet();
	document.addEventListener('submit', (event) => {
		const form = event.target.closest('form[data-control]');
		if (form === null) return;
		event.preventDefault();
		if (busy.has(form)) return;
		if (form.dataset.confirm !== undefined && !confirm(form.dataset.confirm)) return;
		busy.add(form);
		form.setAttribute('aria-busy', 'true');
		send(form, event.submitter)
			.catch((error) => say('failed', error.message))
			.then(refresh)
			.finally(() => {
				busy.delete(form);
				form.removeAttribute('aria-busy');
			});
	});

	document.addEventListener('click', (event) => {
		const button = event.target.closest('button[data-copy]');
		if (button === null) return;
		navigator.clipboard.writeText(button.dataset.copy).then(
			() => say('done', 'Copied.'),
			() => say('failed', "The browser doesn't allow copying here."),
		);
	});

	scrollToEnd();
	tellTimes();
	listen();
})();
