/**
 * `npm run faults`: the fault tests in their long form: 200 rounds of each kind of fault under load, a million events in each log.
 * FAULT_ROUNDS, SOAK_EVENTS and FAULT_SEED may say otherwise.
 */
process.env['FAULT_ROUNDS'] ??= '200';
process.env['SOAK_EVENTS'] ??= '1000000';
if (process.argv.length === 2)
  process.argv.push(
    'tests/faults',
    'tests/ui/marks/mark-autosave.test.ts',
    'tests/ui/draft-store.test.ts',
    'tests/ui/marks/typing-on-server.test.ts',
    'tests/long/browser/marks/drafts-kept.test.ts',
    'tests/domain/marks/agreement.properties.test.ts',
  );
await import('../run-all.ts');
