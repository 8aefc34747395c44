/** What decisions about sets and year groups depend on: the schemes and assessments to choose from, and the students in them. */
import type { Facts, RunSql } from '../../common/facts.ts';

/** Whether the scheme of work is one of the subject's. */
export const schemeOfSubject: Facts<{ readonly subjectId: string; readonly schemeId: string }, { readonly exists: boolean }> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId, schemeId }) => {
    const rows = await query(`select from schemes where school_id = $1 and scheme_id = $2 and subject_id = $3`, [schemeId, subjectId]);
    return { exists: rows.length > 0 };
  },
};

/** The subject's schemes of work. */
export const schemesOfSubject: Facts<{ readonly subjectId: string }, { readonly schemeIds: readonly string[] }> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId }) => ({ schemeIds: await schemeIdsOf(query, subjectId) }),
};

/** What a set may be given: the subject's schemes of work and assessments. */
export const setChoices: Facts<
  { readonly subjectId: string },
  { readonly schemeIds: readonly string[]; readonly testIds: readonly string[] }
> = {
  models: ['structure', 'assessments'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId }) => ({
    schemeIds: await schemeIdsOf(query, subjectId),
    testIds: await idsOf(query, `select test_id as id from tests where school_id = $1 and subject_id = $2`, subjectId),
  }),
};

/** Whether the assessment is one of the subject's. */
export const testOfSubject: Facts<{ readonly subjectId: string; readonly testId: string }, { readonly exists: boolean }> = {
  models: ['assessments'],
  waits: true,
  load: async (query, { subjectId, testId }) => {
    const rows = await query(`select from tests where school_id = $1 and test_id = $2 and subject_id = $3`, [testId, subjectId]);
    return { exists: rows.length > 0 };
  },
};

/** The number of students in the sets of a year group. */
export const studentsOfYearGroup: Facts<{ readonly yearGroupId: string }, { readonly students: number }> = {
  models: ['structure', 'roster'],
  waits: true,
  load: async (query, { yearGroupId }) => ({
    students: await countOf(
      query,
      `select count(*)::int4 as count from sets t join enrolments e using (school_id, set_id)
        where t.school_id = $1 and t.year_group_id = $2 and not t.deleted`,
      yearGroupId,
    ),
  }),
};

/** The number of students in a set. */
export const occupiedSets: Facts<{ readonly setId: string }, { readonly students: number }> = {
  models: ['roster'],
  waits: true,
  load: async (query, { setId }) => ({
    students: await countOf(query, `select count(*)::int4 as count from enrolments where school_id = $1 and set_id = $2`, setId),
  }),
};

/** A subject's schemes of work, and the number of students in each of its sets that has any. */
export const inSubject: Facts<
  { readonly subjectId: string },
  { readonly schemeIds: readonly string[]; readonly students: ReadonlyMap<string, number> }
> = {
  models: ['structure', 'roster'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId }) => {
    const schemeIds = await schemeIdsOf(query, subjectId);
    const rows = await query<{ setId: string; students: number }>(
      `select set_id as "setId", count(*)::int4 as students from enrolments
        where school_id = $1 and subject_id = $2 and set_id is not null group by set_id`,
      [subjectId],
    );
    return { schemeIds, students: new Map(rows.map(({ setId, students }) => [setId, students])) };
  },
};

const schemeIdsOf = (query: RunSql, subjectId: string): Promise<readonly string[]> =>
  idsOf(query, `select scheme_id as id from schemes where school_id = $1 and subject_id = $2`, subjectId);

const idsOf = async (query: RunSql, sql: string, of: string): Promise<readonly string[]> =>
  (await query<{ id: string }>(sql, [of])).map(({ id }) => id);

const countOf = async (query: RunSql, sql: string, of: string): Promise<number> =>
  (await query<{ count: number }>(sql, [of]))[0]?.count ?? 0;
