/** Node 24 from the project's own dependencies. The bootstrap needs it before TypeScript runs, so it is defined there. */
export { environmentWithNode24, nodeBinary } from '../bootstrap.cjs';
