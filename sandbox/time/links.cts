import { found } from '../api/apiError.cts';
import { reportEvent } from './callbacks.cts';
import { demo } from '../demo.cts';
import type { ShortLink } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';

const link = /https?:\/\/[^\s<>"']+/g;

/** "shortening of links in the text": each link becomes a link to the sandbox, which counts the click and redirects. */
export const shortenLinks = (world: World, text: string): { text: string; links: ShortLink[] } => {
	const links: ShortLink[] = [];
	const shortened = text.replace(link, (url) => {
		if (!URL.canParse(url)) return url;
		const code = (++world.store.lastIds.link).toString(36).padStart(4, '0');
		const shortUrl = `${world.origin}${demo.shortLinkPath}/${code}`;
		links.push({ code, url, shortUrl });
		return shortUrl;
	});
	return { text: shortened, links };
};

/** A recipient clicked a short link: counts and reports it. */
export const followLink = (world: World, code: string): ShortLink => {
	const { message } = found(world.store.byLink.get(code), 'link', code);
	const link = found(
		message.single?.links?.find((one) => one.code === code),
		'link',
		code,
	);
	link.clicks = (link.clicks ?? 0) + 1;
	link.lastClickAt = world.timeline.now;
	reportEvent(world, message, 'click', link);
	return link;
};
