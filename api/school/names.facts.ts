/**
 * Names that must be unique in a school or subject. The things that bear them have a stream each, so commands that make or rename one take
 * turns (`alone`).
 */
import type { Facts, RunSql } from '../common/facts.ts';
import type { Model } from '../common/models.ts';

/** The subjects of the school. */
export const subjectNames: Facts<unknown, readonly { readonly subjectId: string; readonly name: string }[]> = {
  models: ['structure'],
  waits: true,
  alone: 'subjects',
  load: (query) => query(`select subject_id as "subjectId", name from subjects where school_id = $1`),
};

type Named<Key extends string> = {
  /** the read model of its tables */
  readonly model: Model;
  /** `deleted_{table}` holds those that were deleted */
  readonly table: string;
  readonly id: string;
  readonly key: Key;
  readonly alone: 'schemes' | 'assessments';
};

/** Names that must be unique within a subject. Commands that make, rename or restore such a thing read them. */
const namesOfKind = <Key extends string>({ model, table, id, key, alone }: Named<Key>) => {
  const about = { models: [model], waits: true, alone } as const;
  const inSubject: Facts<{ readonly subjectId: string }, readonly string[]> = {
    ...about,
    load: (query, { subjectId }) => namesOf(query, `select name from ${table} where school_id = $1 and subject_id = $2`, subjectId),
  };
  /** The names of the others in its subject. */
  const others: Facts<Readonly<Record<Key, string>>, readonly string[]> = {
    ...about,
    load: (query, input) =>
      namesOf(
        query,
        `select other.name from ${table} one join ${table} other using (school_id, subject_id)
          where one.school_id = $1 and one.${id} = $2 and other.${id} <> one.${id}`,
        input[key],
      ),
  };
  /** The names that exist in the subject of a deleted one. */
  const besideDeleted: Facts<Readonly<Record<Key, string>>, readonly string[]> = {
    ...about,
    load: (query, input) =>
      namesOf(
        query,
        `select one.name from deleted_${table} gone join ${table} one using (school_id, subject_id)
          where gone.school_id = $1 and gone.${id} = $2`,
        input[key],
      ),
  };
  return { inSubject, others, besideDeleted };
};

export const schemeNames = namesOfKind({ model: 'structure', table: 'schemes', id: 'scheme_id', key: 'schemeId', alone: 'schemes' });
export const assessmentNames = namesOfKind({ model: 'assessments', table: 'tests', id: 'test_id', key: 'testId', alone: 'assessments' });

/** The names of the sets that follow a scheme of work. */
export const setsFollowing: Facts<{ readonly schemeId: string }, readonly string[]> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: (query, { schemeId }) =>
    namesOf(query, `select name from sets where school_id = $1 and scheme_id = $2 and not deleted order by name`, schemeId),
};

const namesOf = async (query: RunSql, sql: string, id: string): Promise<readonly string[]> =>
  (await query<{ name: string }>(sql, [id])).map(({ name }) => name);
