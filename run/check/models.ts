import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedProjections } from '../../projections/all.ts';
import { root } from '../apps.ts';

/** The read model of each table. */
const models = new Map(
  askedProjections.flatMap(({ name, tables }) => Object.values(tables).map((table): [string, string] => [table.name, name])),
);

/**
 * The read models whose tables a file's SQL reads but that it does not declare: a request for one's own write would not wait for them, and
 * a page would not hear of their changes.
 */
export function undeclared(text: string): string[] {
  const read = [...text.matchAll(/\b(?:from|join)\s+(?:only\s+)?([a-z_]+)\b/g)].map(([, table = '']) => models.get(table));
  const declared = new Set(
    [...text.matchAll(/\bmodels(?::|\s*=)\s*\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name),
    ),
  );
  return [...new Set(read.filter((model) => model !== undefined && !declared.has(model)))].flatMap((model) => model ?? []);
}

/** The read models that queries and lists read without declaring them. */
export const forgottenModels = (files: Iterable<string>): string[] =>
  [...files]
    .filter((file) => /^api\/.*\.(query|resource)\.ts$/.test(file))
    .flatMap((file) =>
      undeclared(readFileSync(join(root, file), 'utf8')).map((model) => `${file} reads ${model}, and does not declare it in models`),
    );
