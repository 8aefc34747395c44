import type { Imports, Violation } from './imports.ts';
import { upward } from './rooms.ts';

/** Which parts of the code may import which. Imports of types count too. */

interface Rule {
  readonly rule: string;
  readonly from: RegExp;
  /** Broken by an import that matches this ... */
  readonly never: RegExp;
  /** ... and not one of these, where `$1` is what `from` caught. */
  readonly but?: readonly string[];
}

const ours = /^(?!(node|npm):)/;
/** What the apps may know of the api: what all nouns share, and a noun's own. */
const contract = '^api/(contract/|(calls|contracts|templates)\\.ts$|.+\\.(contract|formula)\\.ts$)';
const app = (folder: string): Rule => ({
  rule: `${folder} knows ui and the contract only`,
  from: new RegExp(`^${folder}/`),
  never: ours,
  but: [`^${folder}/`, '^ui/', contract],
});

export const rules: readonly Rule[] = [
  { rule: 'events know nobody else', from: /^events\//, never: ours, but: ['^events/'] },
  { rule: 'the contract knows nobody else', from: new RegExp(contract), never: ours, but: [contract] },
  {
    rule: 'commands, their rules and facts know events, the contract and each other only',
    from: /^api\/.+\.(commands|rules|facts)\.ts$/,
    never: ours,
    but: ['^api/.+\\.(commands|rules|facts)\\.ts$', contract, '^api/common/', '^api/actor\\.ts$', '^events/'],
  },
  {
    rule: 'commands do no I/O',
    from: /^api\/.+\.(commands|rules|facts)\.ts$/,
    never: /^(events\/store\/|node:(fs|http|https|net|child_process|timers)|npm:(pg|hono|openid-client|otpauth))/,
    but: ['^events/store/port\\.ts$'],
  },
  {
    rule: 'queries and resources know tables, not how their rows come about',
    from: /^api\/.+\.(query|resource)\.ts$/,
    never: ours,
    but: ['^api/(?!http/|auth/|live/)', '^events/(?!store/)', '^projections/[^/]+/(.+-)?tables\\.ts$'],
  },
  {
    rule: 'the pipeline knows no single command, and nobody who signs in',
    from: /^api\/pipeline\//,
    never: /^api\/(auth|http|live|mail|.+\.(commands|rules|facts)\.ts$)/,
  },
  {
    rule: 'the api knows projections by their tables and engine only',
    from: /^api\//,
    never: /^projections\//,
    but: ['^projections/[^/]+/(.+-)?tables\\.ts$', '^projections/engine/'],
  },
  { rule: 'projections know events only', from: /^projections\//, never: ours, but: ['^projections/', '^events/'] },
  { rule: 'the engine knows no read model', from: /^projections\/engine\//, never: /^projections\//, but: ['^projections/engine/'] },
  {
    rule: 'a read model knows no other',
    from: /^projections\/([^/]+)\//,
    never: /^projections\//,
    but: ['^projections/$1/', '^projections/engine/', '^projections/[^/]+\\.ts$'],
  },
  { rule: 'ui knows the contract only', from: /^ui\//, never: ours, but: ['^ui/', contract] },
  app('staff-ui'),
  app('student-ui'),
  app('admin-ui'),
  {
    rule: 'apps run in browsers',
    from: /^(ui|(staff|student|admin)-ui)\/(?!vite\.config)/,
    never: /^(node:|npm:(pg|hono|openid-client|otpauth|pino)$)/,
  },
  {
    rule: 'the client of EventStoreDB is known to its adapter only',
    from: /^(?!events\/store\/eventstoredb\/|tests\/)/,
    never: /^npm:@(eventstore|grpc)\//,
  },
  { rule: 'nobody knows run', from: /^(?!run\/|bench\/|tests\/)/, never: /^run\// },
  { rule: 'the product knows no tests', from: /^(?!tests\/|bench\/|[^/]+$)/, never: /^(tests|bench)\// },
];

/** Every import that breaks a rule, or leads up. Circles of files are found by the linter. */
export function violations(imports: Imports): Violation[] {
  const broken = [...imports].flatMap(([from, targets]) =>
    targets.flatMap((to) => rules.filter((rule) => breaks(rule, from, to)).map(({ rule }) => ({ rule, from, to }))),
  );
  return [...broken, ...upward(imports)];
}

function breaks({ from: who, never, but = [] }: Rule, from: string, to: string): boolean {
  const caught = who.exec(from);
  if (!caught || !never.test(to)) return false;
  return !but.some((pattern) => new RegExp(pattern.replaceAll('$1', caught[1] ?? '')).test(to));
}

/**
 * Pages take no more than types from a file with schemas: zod and what is answered are in no bundle. `values`: the imports that are more
 * than types.
 */
export function schemasInPages(values: Imports): Violation[] {
  const results = new Map<string, boolean>();
  const holdsSchemas = (file: string): boolean => {
    const before = results.get(file);
    if (before !== undefined) return before;
    results.set(file, false);
    const holds = (values.get(file) ?? []).some((target) => target === 'npm:zod' || holdsSchemas(target));
    results.set(file, holds);
    return holds;
  };
  return [...values]
    .filter(([from]) => /^(ui|(staff|student|admin)-ui)\//.test(from))
    .flatMap(([from, targets]) =>
      targets
        .filter((to) => to === 'npm:zod' || (to.startsWith('api/') && holdsSchemas(to)))
        .map((to) => ({ rule: 'pages take only types from a file with schemas', from, to })),
    );
}
