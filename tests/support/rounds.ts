/**
 * How often a test that draws at random does so: in `npm test`, and in `npm run test:all`. TEST_TIMES=50 asks for fifty times as much, which may take
 * hours; FAULT_SEED repeats what failed.
 */
export const rounds = (short: number, long = short): number =>
  (process.env['TEST_LONG'] === undefined ? short : long) * Number(process.env['TEST_TIMES'] ?? 1);
