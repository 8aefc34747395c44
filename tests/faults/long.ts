/** `npm run faults`: the fault tests in their long form, 50 kills during uploads. FAULT_ROUNDS and FAULT_SEED may say otherwise. */
process.env['FAULT_ROUNDS'] ??= '50';
if (process.argv.length === 2) process.argv.push('tests/faults');
await import('../run-all.ts');
