/** The result of the work, or `instead` as soon as the execution is canceled. */
export const orCancelled = async <Result, Instead>(
	work: Promise<Result>,
	cancelled: AbortSignal | undefined,
	instead: Instead,
): Promise<Result | Instead> => {
	if (cancelled === undefined) return await work;
	let cancel: () => void = () => undefined;
	const cancellation = new Promise<Instead>((resolve) => {
		cancel = () => resolve(instead);
	});
	cancelled.addEventListener('abort', cancel, { once: true });
	try {
		return await Promise.race([work, cancellation]);
	} finally {
		cancelled.removeEventListener('abort', cancel);
	}
};
