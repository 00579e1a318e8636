/* global Idiomorph -- served beside this file */
// The page works by itself: links and searches are ordinary ones. This keeps it up to date and carries out its buttons.
(() => {
	const main = document.querySelector('main');
	const status = document.querySelector('#status');

	let isAsking = false;
	let isStale = false;
	/** Asks for what the page shows now, and changes only what is different: focus, selection and typed text stay. */
	const refresh = async () => {
		isStale = true;
		if (isAsking || document.hidden) return;
		isAsking = true;
		while (isStale) {
			isStale = false;
			try {
				const response = await fetch(location.href, { headers: { 'x-part': 'main' } });
				if (response.ok) {
					Idiomorph.morph(main, await response.text(), {
						morphStyle: 'innerHTML',
						ignoreActiveValue: true,
					});
				}
			} catch {
				status.textContent = 'The sandbox does not answer.';
			}
		}
		isAsking = false;
	};

	const live = new EventSource('/live');
	live.addEventListener('change', refresh);
	live.addEventListener('open', () => {
		document.body.dataset.live = 'yes';
	});
	live.addEventListener('error', () => {
		document.body.dataset.live = 'no';
	});
	document.addEventListener('visibilitychange', refresh);

	const readAs = {
		number: Number,
		boolean: (text) => text === 'true',
		json: (text) => JSON.parse(text),
		list: (text) =>
			text
				.split(',')
				.map((one) => one.trim())
				.filter(Boolean),
		text: (text) => text,
	};
	const bodyOf = (form) => {
		const body = {};
		for (const field of form.elements) {
			if (!field.name || (field.value === '' && !field.required)) continue;
			const value = readAs[field.dataset.as || 'text'](field.value);
			const path = field.name.split('.');
			const last = path.pop();
			let place = body;
			for (const part of path) place = place[part] ??= {};
			place[last] = value;
		}
		return body;
	};

	/** A form with data-control is a request to the control interface: "POST /_sandbox/…". */
	const carryOut = async (form) => {
		const [method, path] = form.dataset.control.split(' ');
		const response = await fetch(path, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(bodyOf(form)),
		});
		const answer = await response.json().catch(() => ({}));
		status.textContent = response.ok
			? (form.dataset.done ?? 'Done.')
			: (answer.error?.msg ?? `The sandbox answered ${response.status}.`);
		status.dataset.kind = response.ok ? 'done' : 'failed';
		if (response.ok && form.dataset.clear !== undefined) form.reset();
		await refresh();
	};

	document.addEventListener('submit', (event) => {
		const form = event.target.closest('form[data-control]');
		if (form === null) return;
		event.preventDefault();
		const { submitter } = event;
		// A button that says what it fills in: one click, one answer.
		if (submitter?.dataset.fill !== undefined) {
			form.querySelector('[data-filled]').value = submitter.dataset.fill;
		}
		carryOut(form).catch((error) => {
			status.textContent = String(error.message ?? error);
			status.dataset.kind = 'failed';
		});
	});

	document.addEventListener('click', (event) => {
		const button = event.target.closest('button[data-copy]');
		if (button === null) return;
		navigator.clipboard.writeText(button.dataset.copy).then(
			() => (status.textContent = 'Copied.'),
			() => (status.textContent = 'The browser does not allow copying here.'),
		);
	});
})();
