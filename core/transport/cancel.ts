/** The result of the work, or `instead` as soon as the execution is cancelled. */
export const orCancelled = async <T>(
	work: Promise<T>,
	cancelled: AbortSignal | undefined,
	instead: T,
): Promise<T> => {
	if (cancelled === undefined) return await work;
	let cancel: () => void = () => undefined;
	const cancellation = new Promise<T>((resolve) => {
		cancel = () => resolve(instead);
	});
	cancelled.addEventListener('abort', cancel, { once: true });
	try {
		return await Promise.race([work, cancellation]);
	} finally {
		cancelled.removeEventListener('abort', cancel);
	}
};
