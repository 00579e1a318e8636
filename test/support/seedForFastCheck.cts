import fc from 'fast-check';

// Everything random follows from the one seed that a command gives. Without it, every run draws its own.
const { SEED } = process.env;
if (SEED) fc.configureGlobal({ seed: Number(SEED) });
