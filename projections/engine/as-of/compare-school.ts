import type { ClientBase } from 'pg';
import pg from 'pg';
import type { Position } from '../../../events/store/port.ts';
import { compareRows, type Comparison } from '../building/compare.ts';
import { relationOf } from '../building/ddl.ts';
import { servingBuild, type ServingBuild } from '../building/serving.ts';
import { AsOfBusy } from './busy.ts';
import { type FillOptions, type FillProgress, foldSchool } from './fill.ts';
import { makeTables, schemaOf } from './places.ts';

/** A read model of one school, compared with a fold of its events. */
export type Compared = { readonly model: string; readonly position: Position; readonly tables: readonly Comparison[] };

/**
 * Compares what is shown of a school with a fresh fold of its events, row by row and column by column, in a schema that this client has
 * locked. One transaction sees one state of the read models, however long the fold takes; each is folded up to where it was then. Afterwards
 * the transaction is undone. Read models that cannot be compared are left out: they are being built from another log or by another program.
 *
 * @throws AsOfBusy if the index of the school's events is behind
 */
export const compareSchool = async (
  client: ClientBase,
  slot: number,
  schoolId: string,
  options: FillOptions,
  progress: FillProgress,
): Promise<Compared[]> => {
  await client.query('begin isolation level repeatable read');
  const served = new Map<string, ServingBuild>();
  for (const { name, version } of options.projections) {
    const build = await servingBuild(client, 'read', name);
    if (build && build.version === version && !build.stale) served.set(name, build);
  }
  const upTo = (name: string): Position => served.get(name)?.position ?? 0n;
  const projections = options.projections.filter(({ name }) => served.has(name));
  const index = upTo(options.index.name);
  if (projections.some(({ name }) => upTo(name) > index))
    throw new AsOfBusy('The index of the school’s events is behind. Try again in a moment.', A_MOMENT_MS);
  await makeTables(client, slot, projections);
  await foldSchool(client, slot, { schoolId, upTo }, { ...options, projections }, progress);
  const compared: Compared[] = [];
  for (const { name, tables, version } of projections) {
    const generation = served.get(name)?.generation;
    const ofSchool = (relation: string): string => `(select * from ${relation} where school_id = ${pg.escapeLiteral(schoolId)})`;
    compared.push({
      model: name,
      position: upTo(name),
      tables: await compareRows(
        client,
        Object.values(tables),
        (table) => ofSchool(relationOf('read', table, version, generation)),
        (table) => relationOf(schemaOf(slot), table, version),
      ),
    });
  }
  await client.query('rollback');
  return compared;
};

const A_MOMENT_MS = 1_000;
