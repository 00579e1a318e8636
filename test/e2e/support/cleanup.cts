type Undo = () => Promise<void>;

const undos: Undo[] = [];

/**
 * Has something undone when the test file is through, failed or not, last thing first. (When the test run itself is
 * killed, the guards in host/process do it.)
 */
export function undoAfterwards(undo: Undo) {
	undos.push(undo);
}

afterAll(async () => {
	for (const undo of undos.splice(0).reverse()) await undo();
});
