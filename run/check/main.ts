import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../apps.ts';
import { withCalls } from './calls.ts';
import { schemasInPages, violations } from './import-rules.ts';
import { codeFiles, readImports } from './imports.ts';
import { forgottenModels } from './models.ts';
import { homeless, misfits } from './rooms.ts';
import { wrongRoutes } from './routes.ts';
import { busyByHand } from './sending.ts';
import { sourcesIn, wrongTests, type Size } from './tests.ts';

const CALLS = join(root, 'docs/calls.md');

/**
 * `npm run check`: types, lint, format, the rules of imports and of tests, sizes, the list of routes and that of the documented calls.
 * `npm run format` puts the format right,
 * `npm run check -- --calls` writes docs/calls.md.
 */
if (process.argv.includes('--format')) process.exit(tool('oxfmt', ['.']) ? 0 : 1);
if (process.argv.includes('--calls')) {
  writeFileSync(CALLS, withCalls(readFileSync(CALLS, 'utf8')));
  process.exit();
}

const steps: readonly [string, () => boolean][] = [
  ...['tsconfig.json', 'tsconfig.apps.json', 'tsconfig.browser-tests.json'].map((config): [string, () => boolean] => [
    `types (${config})`,
    () => !hasSources(config) || tool('tsc', ['-p', config]),
  ]),
  ['lint', () => tool('oxlint', ['--type-aware', '--deny-warnings', '--quiet'])],
  ['format', () => tool('oxfmt', ['--check', '.'])],
  ['import rules', importRulesHold],
  ['sizes and tests', testsHold],
  ['docs/routes.md', routesAreListed],
  ['docs/calls.md', callsAreListed],
];

const failed = steps.filter(([name, step]) => {
  const isFine = step();
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name}`);
  return !isFine;
});
process.exit(failed.length === 0 ? 0 : 1);

/** Shows what the tool says only when it finds something. */
function tool(name: string, args: readonly string[]): boolean {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/.bin', name), ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) console.log(`${stdout}${stderr}`.trimEnd());
  return status === 0;
}

function importRulesHold(): boolean {
  const { imports, values, unresolved } = readImports();
  const broken = [...violations(imports), ...schemasInPages(values)];
  const lost = [...homeless(imports.keys()), ...misfits(codeFiles())];
  const forgotten = forgottenModels(imports.keys());
  const busy = busyByHand(imports.keys());
  for (const line of [...unresolved, ...lost, ...forgotten, ...busy]) console.log(line);
  for (const { rule, from, to } of broken) console.log(`${rule}: ${from} imports ${to}`);
  return [broken, unresolved, lost, forgotten, busy].every(({ length }) => length === 0);
}

/** Only by what causes it: how long the tests take, no machine can say of another. */
function testsHold(): boolean {
  const most = JSON.parse(readFileSync(join(root, 'run/check/size.json'), 'utf8')) as Size;
  const wrong = wrongTests(sourcesIn(codeFiles()), most);
  for (const line of wrong) console.log(line);
  return wrong.length === 0;
}

function routesAreListed(): boolean {
  const wrong = wrongRoutes(readFileSync(join(root, 'docs/routes.md'), 'utf8'));
  for (const line of wrong) console.log(`docs/routes.md: ${line}`);
  if (wrong.length > 0) console.log('Write what is found with: WRITE_ROUTES=1 npm test -- tests/long/browser/routes.test.ts');
  return wrong.length === 0;
}

function callsAreListed(): boolean {
  const text = readFileSync(CALLS, 'utf8');
  const isFine = withCalls(text) === text;
  if (!isFine) console.log('docs/calls.md is not what api/calls says: write it with npm run check -- --calls');
  return isFine;
}

/** tsc takes an empty project for a mistake. */
function hasSources(config: string): boolean {
  return (
    config === 'tsconfig.json' || ['ui', 'staff-ui', 'tests/browser', 'tests/support'].some((folder) => existsSync(join(root, folder)))
  );
}
