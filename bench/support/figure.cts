import type { Ground } from './ground.cts';

/** One side of a comparison, measured once per repetition. */
export interface Side {
	/** What was done, such as "HTTP Request, all at once". */
	name: string;
	/** Index n of both sides was measured in the same repetition, one right after the other. */
	values: number[];
}

/** One row of the table: how much of something we need beside somebody else. Less is better. */
export interface Comparison {
	what: string;
	unit: 'ms' | 'µs' | 'MB' | 'KB';
	ours: Side;
	theirs: Side;
	/** The most that ours ÷ theirs may be; left out where nothing is required. */
	limit?: number;
	/** What a reader must know to judge the row. */
	note?: string;
}

/** One file in `figures/`. It measures what belongs together and gives one row per comparison. */
export interface Figure {
	/** Short; `--only` looks for it. */
	name: string;
	/** It uses nothing that other figures use, so that a quick run may measure it beside them. */
	isApart?: true;
	run(ground: Ground): Promise<Comparison[]>;
}
