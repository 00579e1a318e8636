import type { z } from '../../vendor/zod';
import { demo } from '../demo.cts';
import { parse, readJson } from '../api/input.cts';
import { errorResponse, type App } from '../api/route.cts';
import type { SeedName } from '../stored/seed.cts';
import type { World } from '../stored/world.cts';

/** What the control routes can use: the world, the clock, and a reset. */
export interface Controls {
	world: World;
	advance: (ms: number) => Promise<void>;
	reset: (seed?: SeedName) => void;
}

interface ControlRoute<Schema extends z.ZodTypeAny> {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Below `/_sandbox`, with `{name}` for parameters. */
	path: string;
	/** One line for the list that `GET /_sandbox` returns. */
	does: string;
	/** The schema of the body, or of the query for GET. */
	input: Schema;
	handle: (input: z.output<Schema>, params: Record<string, string>) => unknown;
}
export type Control = <Schema extends z.ZodTypeAny>(route: ControlRoute<Schema>) => void;

/** Registers control routes and lists them. If a handler returns `undefined`, the response is `{}`. */
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
