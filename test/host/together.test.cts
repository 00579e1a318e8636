import { requireNotStopped, runCommand, together } from '../../host/process/commands.cts';

/** A command that runs for ten minutes unless it is stopped. */
const long = () => runCommand(process.execPath, ['-e', 'setTimeout(() => {}, 600000)']);

test('gives the results in the order of the works', async () => {
	const results = await together(
		async () => (await runCommand(process.execPath, ['-p', '1 + 1'])).output.trim(),
		() => Promise.resolve(3),
	);
	expect(results).toEqual(['2', 3]);
});

test('if one fails, the commands of the others are stopped before its error is thrown', async () => {
	const codes: number[] = [];
	const stopped: string[] = [];
	const works = together(
		async () => {
			codes.push((await long()).code);
			try {
				requireNotStopped();
			} catch {
				stopped.push('waiting ends, too');
			}
		},
		// Works inside works are stopped with them.
		() => together(async () => codes.push((await long()).code)),
		() => Promise.reject(new Error('no compiler')),
	);
	await expect(works).rejects.toThrow('no compiler');
	expect(codes).toHaveLength(2);
	expect(codes).not.toContain(0);
	expect(stopped).toEqual(['waiting ends, too']);
});

test('a failure stops nothing outside', async () => {
	const outside = runCommand(process.execPath, ['-e', 'setTimeout(() => {}, 500)']);
	await expect(together(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
	expect((await outside).code).toBe(0);
	expect(requireNotStopped).not.toThrow();
});
