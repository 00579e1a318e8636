import type { z } from '../../vendor/zod';
import { demo } from '../demo.cts';
import { parse, readJson } from '../input.cts';
import { errorResponse, type App } from '../route.cts';
import type { SeedName } from '../seed.cts';
import type { World } from '../world.cts';

/** What the control routes may use beside the world: time, and starting over. */
export interface Controls {
	world: World;
	advance: (ms: number) => Promise<void>;
	reset: (seed?: SeedName) => void;
}

interface ControlRoute<Schema extends z.ZodTypeAny> {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Below `/_sandbox`, with `{name}` for parameters. */
	path: string;
	/** One line for the list at `GET /_sandbox`. */
	does: string;
	/** Of the body; of the query for GET. */
	input: Schema;
	handle: (input: z.output<Schema>, params: Record<string, string>) => unknown;
}
export type Control = <Schema extends z.ZodTypeAny>(route: ControlRoute<Schema>) => void;

/** Registers control routes and keeps the list of them. A handler that returns nothing answers `{}`. */
export const controlOn = (app: App): { control: Control; list: () => object[] } => {
	const listed: Array<{ method: string; path: string; does: string }> = [];
	const control: Control = ({ method, path, does, input, handle }) => {
		listed.push({ method, path: demo.controlPath + path, does });
		app.on(method, demo.controlPath + path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
			try {
				const raw =
					method === 'GET'
						? Object.fromEntries(new URL(context.req.url).searchParams)
						: ((await readJson(context.req.raw)) ?? {});
				const reply = await handle(parse(input, raw, 'body'), context.req.param());
				return Response.json(reply ?? {});
			} catch (error) {
				return errorResponse(error);
			}
		});
	};
	return { control, list: () => listed };
};
