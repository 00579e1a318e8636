import fc from 'fast-check';

// Everything random follows from the one seed that the command prints.
fc.configureGlobal({ seed: Number(process.env.SEED) });
