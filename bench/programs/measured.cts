import { GCProfiler, getHeapStatistics } from 'node:v8';

export interface Measured {
	ms: number;
	/** The most memory above what was in use before: V8's heap and the buffers outside of it. */
	mb: number;
}

const megabyte = 1024 * 1024;
const inUse = () => {
	const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
	return heap + external;
};

/**
 * Between two garbage collections memory only grows, so what is in use right before each of them, and at the end, holds the
 * peak. What the system calls resident would not do: it counts free pages that V8 keeps from whatever was done before.
 */
export async function measure(work: () => Promise<unknown>): Promise<Measured> {
	if (!global.gc) throw new Error('The program needs --expose-gc.');
	global.gc();
	const profiler = new GCProfiler();
	const before = inUse();
	profiler.start();
	const begun = performance.now();
	await work();
	const ms = performance.now() - begun;
	const peaks = [inUse()];
	for (const { beforeGC } of profiler.stop()?.statistics ?? []) {
		const { usedHeapSize, externalMemory } =
			beforeGC.heapStatistics as typeof beforeGC.heapStatistics & {
				externalMemory: number;
			};
		peaks.push(usedHeapSize + externalMemory);
	}
	return { ms, mb: (Math.max(...peaks) - before) / megabyte };
}
