/**
 * Names that must be unique in a school or subject. The things that bear them have a stream each, so commands that make or rename one take
 * turns (`alone`).
 */
import type { Facts, Query } from '../common/facts.ts';

/** The subjects of the school that were not removed. */
export const subjectNames: Facts<unknown, readonly { readonly subjectId: string; readonly name: string }[]> = {
  models: ['structure'],
  waits: true,
  alone: 'subjects',
  load: (query) => query(`select subject_id as "subjectId", name from subjects where school_id = $1 and not removed`),
};

type NamesInSubject = {
  /** whether the subject exists */
  readonly subject: boolean;
  readonly names: readonly string[];
};

export const schemeNames: Facts<{ readonly subjectId: string }, NamesInSubject> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId }) => ({
    subject: await isSubject(query, subjectId),
    names: await namesOf(query, `select name from schemes where school_id = $1 and subject_id = $2`, subjectId),
  }),
};

/** The names of the other schemes of work of a scheme's subject. */
export const otherSchemeNames: Facts<{ readonly schemeId: string }, readonly string[]> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: (query, { schemeId }) =>
    namesOf(
      query,
      `select other.name from schemes s join schemes other using (school_id, subject_id)
        where s.school_id = $1 and s.scheme_id = $2 and other.scheme_id <> s.scheme_id`,
      schemeId,
    ),
};

/** The names of the existing schemes of work of a deleted scheme's subject. */
export const schemesBesideDeleted: Facts<{ readonly schemeId: string }, readonly string[]> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: (query, { schemeId }) =>
    namesOf(
      query,
      `select s.name from deleted_schemes d join schemes s using (school_id, subject_id) where d.school_id = $1 and d.scheme_id = $2`,
      schemeId,
    ),
};

export const testNames: Facts<{ readonly subjectId: string }, NamesInSubject> = {
  models: ['structure', 'assessments'],
  waits: true,
  alone: 'assessments',
  load: async (query, { subjectId }) => ({
    subject: await isSubject(query, subjectId),
    names: await namesOf(query, `select name from tests where school_id = $1 and subject_id = $2`, subjectId),
  }),
};

/** The names of the other assessments of an assessment's subject. */
export const otherTestNames: Facts<{ readonly testId: string }, readonly string[]> = {
  models: ['assessments'],
  waits: true,
  alone: 'assessments',
  load: (query, { testId }) =>
    namesOf(
      query,
      `select other.name from tests t join tests other using (school_id, subject_id)
        where t.school_id = $1 and t.test_id = $2 and other.test_id <> t.test_id`,
      testId,
    ),
};

/** The names of the existing assessments of a deleted assessment's subject. */
export const namesBesideDeleted: Facts<{ readonly testId: string }, readonly string[]> = {
  models: ['assessments'],
  waits: true,
  alone: 'assessments',
  load: (query, { testId }) =>
    namesOf(
      query,
      `select t.name from deleted_tests d join tests t using (school_id, subject_id) where d.school_id = $1 and d.test_id = $2`,
      testId,
    ),
};

/** The names of the sets that follow a scheme of work. */
export const setsFollowing: Facts<{ readonly schemeId: string }, readonly string[]> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: (query, { schemeId }) =>
    namesOf(query, `select name from sets where school_id = $1 and scheme_id = $2 and not deleted order by name`, schemeId),
};

const namesOf = async (query: Query, sql: string, id: string): Promise<readonly string[]> =>
  (await query<{ name: string }>(sql, [id])).map(({ name }) => name);

const isSubject = async (query: Query, subjectId: string): Promise<boolean> =>
  (await query(`select from subjects where school_id = $1 and subject_id = $2 and not removed`, [subjectId])).length > 0;
