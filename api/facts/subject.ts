import type { Facts } from './facts.ts';

/** The subjects of the school, without those that were removed. */
export const subjectNames: Facts<unknown, readonly { readonly subjectId: string; readonly name: string }[]> = {
  models: ['structure'],
  waits: true,
  alone: 'subjects',
  load: (query) => query(`select subject_id as "subjectId", name from subjects where school_id = $1 and not removed`),
};

/** How many marks and totals are entered in a subject. */
export const subjectMarks: Facts<{ readonly subjectId: string }, { readonly marks: number }> = {
  models: ['assessments', 'results'],
  waits: true,
  load: async (query, { subjectId }) => {
    const [row] = await query<{ marks: number }>(
      `select count(*)::int4 as marks from tests t join results r using (school_id, test_id)
       where t.school_id = $1 and t.subject_id = $2 and r.mark is not null`,
      [subjectId],
    );
    return { marks: row?.marks ?? 0 };
  },
};

/** Whether the scheme of work is one of the subject's. */
export const schemeOfSubject: Facts<{ readonly subjectId: string; readonly schemeId: string }, { readonly exists: boolean }> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId, schemeId }) => ({
    exists:
      (await query(`select from schemes where school_id = $1 and scheme_id = $2 and subject_id = $3`, [schemeId, subjectId])).length > 0,
  }),
};

/** The subject's schemes of work. */
export const schemesOfSubject: Facts<{ readonly subjectId: string }, { readonly schemeIds: readonly string[] }> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId }) => ({
    schemeIds: (
      await query<{ id: string }>(`select scheme_id as id from schemes where school_id = $1 and subject_id = $2`, [subjectId])
    ).map(({ id }) => id),
  }),
};

/** The subject's schemes of work: their names. */
export const schemeNames: Facts<{ readonly subjectId: string }, { readonly subject: boolean; readonly names: readonly string[] }> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId }) => ({
    subject: (await query(`select from subjects where school_id = $1 and subject_id = $2 and not removed`, [subjectId])).length > 0,
    names: (await query<{ name: string }>(`select name from schemes where school_id = $1 and subject_id = $2`, [subjectId])).map(
      ({ name }) => name,
    ),
  }),
};

/** The subject's assessments by name, and whether there is such a subject. */
export const testNames: Facts<{ readonly subjectId: string }, { readonly subject: boolean; readonly names: readonly string[] }> = {
  models: ['structure', 'assessments'],
  waits: true,
  alone: 'assessments',
  load: async (query, { subjectId }) => ({
    subject: (await query(`select from subjects where school_id = $1 and subject_id = $2 and not removed`, [subjectId])).length > 0,
    names: (await query<{ name: string }>(`select name from tests where school_id = $1 and subject_id = $2`, [subjectId])).map(
      ({ name }) => name,
    ),
  }),
};

/** The names of the other assessments of an assessment's subject. */
export const otherTestNames: Facts<{ readonly testId: string }, readonly string[]> = {
  models: ['assessments'],
  waits: true,
  alone: 'assessments',
  load: async (query, { testId }) => {
    const rows = await query<{ name: string }>(
      `select other.name from tests t join tests other using (school_id, subject_id)
       where t.school_id = $1 and t.test_id = $2 and other.test_id <> t.test_id`,
      [testId],
    );
    return rows.map(({ name }) => name);
  },
};

/** The names of the assessments beside a deleted one. */
export const namesBesideDeleted: Facts<{ readonly testId: string }, readonly string[]> = {
  models: ['assessments'],
  waits: true,
  alone: 'assessments',
  load: async (query, { testId }) => {
    const rows = await query<{ name: string }>(
      `select t.name from deleted_tests d join tests t using (school_id, subject_id) where d.school_id = $1 and d.test_id = $2`,
      [testId],
    );
    return rows.map(({ name }) => name);
  },
};

/** The names of the other schemes of work of a scheme's subject. */
export const otherSchemeNames: Facts<{ readonly schemeId: string }, readonly string[]> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { schemeId }) => {
    const rows = await query<{ name: string }>(
      `select other.name from schemes s join schemes other using (school_id, subject_id)
       where s.school_id = $1 and s.scheme_id = $2 and other.scheme_id <> s.scheme_id`,
      [schemeId],
    );
    return rows.map(({ name }) => name);
  },
};

/** The names of the schemes of work beside a deleted one. */
export const schemesBesideDeleted: Facts<{ readonly schemeId: string }, readonly string[]> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { schemeId }) => {
    const rows = await query<{ name: string }>(
      `select w.name from deleted_schemes d join schemes w using (school_id, subject_id) where d.school_id = $1 and d.scheme_id = $2`,
      [schemeId],
    );
    return rows.map(({ name }) => name);
  },
};

/** The names of the sets that follow a scheme of work. */
export const setsFollowing: Facts<{ readonly schemeId: string }, readonly string[]> = {
  models: ['structure'],
  waits: true,
  alone: 'schemes',
  load: async (query, { schemeId }) => {
    const rows = await query<{ name: string }>(
      `select name from sets where school_id = $1 and scheme_id = $2 and not deleted order by name`,
      [schemeId],
    );
    return rows.map(({ name }) => name);
  },
};

/** What a set may be given: the subject's schemes of work and assessments. */
export const setChoices: Facts<
  { readonly subjectId: string },
  { readonly schemeIds: readonly string[]; readonly testIds: readonly string[] }
> = {
  models: ['structure', 'assessments'],
  waits: true,
  alone: 'schemes',
  load: async (query, { subjectId }) => {
    const rows = await query<{ scheme_id: string }>(`select scheme_id from schemes where school_id = $1 and subject_id = $2`, [subjectId]);
    const tests = await query<{ test_id: string }>(`select test_id from tests where school_id = $1 and subject_id = $2`, [subjectId]);
    return { schemeIds: rows.map(({ scheme_id }) => scheme_id), testIds: tests.map(({ test_id }) => test_id) };
  },
};

/** How many students the sets of a year group have. */
export const studentsOfYearGroup: Facts<{ readonly yearGroupId: string }, { readonly students: number }> = {
  models: ['structure', 'roster'],
  waits: true,
  load: async (query, { yearGroupId }) => {
    const [row] = await query<{ students: number }>(
      `select count(*)::int4 as students from sets t join enrolments e using (school_id, set_id)
       where t.school_id = $1 and t.year_group_id = $2 and not t.deleted`,
      [yearGroupId],
    );
    return { students: row?.students ?? 0 };
  },
};

/** How many students a set has. */
export const occupiedSets: Facts<{ readonly setId: string }, { readonly students: number }> = {
  models: ['roster'],
  waits: true,
  load: async (query, { setId }) => {
    const [row] = await query<{ students: number }>(
      `select count(*)::int4 as students from enrolments where school_id = $1 and set_id = $2`,
      [setId],
    );
    return { students: row?.students ?? 0 };
  },
};

/** How many students each of some sets has. */
export const studentsInSets: Facts<{ readonly setIds: readonly string[] }, ReadonlyMap<string, number>> = {
  models: ['roster'],
  waits: true,
  load: async (query, { setIds }) => {
    const rows = await query<{ setId: string; students: number }>(
      `select set_id as "setId", count(*)::int4 as students from enrolments where school_id = $1 and set_id = any($2::uuid[]) group by set_id`,
      [setIds],
    );
    return new Map(rows.map(({ setId, students }) => [setId, students]));
  },
};

export type EnteredMark = {
  readonly name: string;
  readonly questionId: string | null;
  readonly number: number | null;
  readonly mark: number;
};
/** Every mark and total that counts on a test: what a lowered maximum would leave stranded. */
export const enteredMarks: Facts<{ readonly testId: string }, readonly EnteredMark[]> = {
  models: ['assessments', 'results', 'roster'],
  waits: true,
  load: (query, { testId }) =>
    query(
      `select coalesce(s.name, 'A forgotten student') as name,
            case r.kind when 'm' then r.item_id end as "questionId", q.number, r.mark
     from results r
     join students s using (school_id, student_id)
     left join questions q on q.school_id = r.school_id and q.question_id = r.item_id
     where r.school_id = $1 and r.test_id = $2 and r.mark is not null
     order by s.name, q.number`,
      [testId],
    ),
};

/** Questions of a test in which marks were written, the newest time of each: ms since 1970. What was undone does not count. */
export type MarkedQuestions = {
  readonly entered: readonly EnteredMark[];
  readonly written: readonly { readonly questionId: string; readonly at: number }[];
};
export const markedQuestions: Facts<{ readonly testId: string }, MarkedQuestions> = {
  models: ['assessments', 'results', 'roster'],
  waits: true,
  load: async (query, input, actor) => ({
    entered: await enteredMarks.load(query, input, actor),
    written: await query(
      `select written ->> 1 as "questionId", max(extract(epoch from s.at) * 1000)::float8 as at
       from saves s, json_array_elements(s.columns) as written
       where s.school_id = $1 and $2 = any(s.test_ids) and not s.undone and (written ->> 0)::uuid = $2 and written ->> 2 = 'm'
       group by 1`,
      [input.testId],
    ),
  }),
};
