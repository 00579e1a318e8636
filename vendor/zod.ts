// The only file that names zod: `npm run build` bundles it into dist, so the package has no dependencies.
export { z } from 'zod';
