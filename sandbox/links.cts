import { demo } from './demo.cts';
import type { ShortLink } from './entities.cts';
import type { World } from './world.cts';

const link = /https?:\/\/[^\s<>"']+/g;

/** "shortening of links in the text": each link becomes one of the sandbox, which counts the click and leads on. */
export const shortenLinks = (world: World, text: string): { text: string; links: ShortLink[] } => {
	const links: ShortLink[] = [];
	const shortened = text.replace(link, (url) => {
		const code = (++world.store.lastIds.link).toString(36).padStart(4, '0');
		const shortUrl = `${world.origin}${demo.shortLinkPath}/${code}`;
		links.push({ code, url, shortUrl });
		return shortUrl;
	});
	return { text: shortened, links };
};
