import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { keepPicture } from '../../support/pictures.cts';
import { withoutHints } from './browser.cts';

/** The README's moving picture, made of screenshots; kept when E2E_README_PICTURES is set. */
export function startFilm() {
	const frames: Buffer[] = [];
	const delay: number[] = [];
	return {
		/** Smaller than the other pictures, so that its text stays readable in a README. */
		size: { width: 1056, height: 660 },
		/** A screenshot has no mouse pointer. This style draws a ring around the button instead. */
		pressed: (button: string) =>
			`[data-test-id="${button}"] { outline: 4px solid #1b5fd0; outline-offset: 4px }`,
		/** Adds the page as it is now, shown for this long. */
		show: async (page: Page, milliseconds: number, style = '') => {
			if (!process.env.E2E_README_PICTURES) return;
			frames.push(await page.screenshot({ style: withoutHints + style }));
			delay.push(milliseconds);
		},
		keep: async () => {
			if (!process.env.E2E_README_PICTURES) return;
			// Screens have large areas of one color, so lossless is smaller than lossy.
			const film = sharp(frames, { join: { animated: true } }).webp({ lossless: true, delay });
			keepPicture('first-sample', await film.toBuffer());
		},
	};
}
