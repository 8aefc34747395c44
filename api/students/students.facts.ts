import { normalised } from '../../events/codec/tags.ts';
import type { Roster } from '../../events/students/roster.ts';
import { OFF_ROLL } from '../../events/students/roster.ts';
import type { Facts, RunSql } from '../common/facts.ts';

export const admissionKey = normalised;

export type StudentFacts = { readonly exists: boolean; readonly hasAccount: boolean };

/** Whether a student exists and has an account that is open. To a forgotten one, whose name is gone, no account may lead again. */
export const studentFacts: Facts<{ readonly studentId: string }, StudentFacts> = {
  models: ['roster', 'accounts'],
  waits: true,
  load: async (query, { studentId }) => {
    const [row] = await query<StudentFacts>(
      `select exists (select from students where school_id = $1 and student_id = $2 and name is not null) as "exists",
              exists (select from accounts where school_id = $1 and student_id = $2 and not closed) as "hasAccount"`,
      [studentId],
    );
    return row ?? { exists: false, hasAccount: false };
  },
};

/** The sets of a subject, each in its year group. */
export type SetFacts = { readonly sets: readonly { readonly setId: string; readonly name: string; readonly yearGroupId?: string }[] };
export const setFacts: Facts<{ readonly subjectId: string }, SetFacts> = {
  models: ['structure'],
  waits: true,
  async load(query, { subjectId }) {
    const [row] = await query<SetFacts>(
      `select (select coalesce(json_agg(json_build_object('setId', set_id, 'name', name, 'yearGroupId', year_group_id)), '[]')
                 from sets where school_id = $1 and subject_id = $2 and not deleted) as sets`,
      [subjectId],
    );
    return row ?? { sets: [] };
  },
};

/** Sets, or those of a year group; and whether the set to which their students go is there. */
export const setsMeant: Facts<
  {
    readonly subjectId: string;
    readonly of: { readonly setId: string } | { readonly yearGroupId: string } | { readonly setIds: readonly string[] };
    readonly to?: { readonly setId: string } | undefined;
  },
  { readonly setIds: readonly string[]; readonly hasTarget: boolean }
> = {
  models: ['structure'],
  waits: true,
  async load(query, { subjectId, of, to }) {
    const asked = 'setIds' in of ? of.setIds : ['setId' in of ? of.setId : of.yearGroupId];
    const rows = await query<{ setId: string; isMeant: boolean }>(
      `select set_id as "setId", set_id = any($3::uuid[]) or year_group_id = any($3::uuid[]) as "isMeant" from sets
        where school_id = $1 and subject_id = $2 and not deleted`,
      [subjectId, asked],
    );
    return {
      setIds: rows.flatMap(({ setId, isMeant }) => (isMeant ? setId : [])),
      hasTarget: to === undefined || rows.some(({ setId }) => setId === to.setId),
    };
  },
};

/** Which of these StudentIDs, normalised, are somebody's in the school. */
export const admissionKeys = async (query: RunSql, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await query<{ readonly key: string }>(
    `select admission_key as key from students where school_id = $1 and admission_key = any($2::text[])`,
    [[...new Set(ids.map(admissionKey))]],
  );
  return new Set(rows.map(({ key }) => key));
};

/** Those on roll in a subject, to find whom a row of a file may mean. */
export const onRoll = (query: RunSql, subjectId: string): Promise<readonly OnRoll[]> =>
  query<OnRoll>(
    `select s.admission_no as "admissionNo", s.name, t.set_id as "setId", t.name as "setName"
     from enrolments e
     join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
     join students s on s.school_id = $1 and s.student_id = e.student_id
     where e.school_id = $1 and e.subject_id = $2 and s.admission_no is not null and s.name is not null`,
    [subjectId],
  );
export type OnRoll = { readonly admissionNo: string; readonly name: string; readonly setId: string; readonly setName: string };

/** The students of the school, as the roster's fold has them. */
export type RosterFacts = Pick<Roster, 'students' | 'byTag'>;

/** The same from the read models, for a preview: there a student's tag is the normalised StudentID, see `plainTag`. */
export const rosterFacts: Facts<unknown, RosterFacts> = {
  models: ['roster'],
  waits: true,
  async load(query) {
    const rows = await query<ReadStudent>(
      `select s.student_id as "studentId", s.admission_no as "admissionNo", s.name, s.date_of_birth::text as "dateOfBirth",
         (select json_object_agg(e.subject_id, case e.state when 'set' then e.set_id::text else $2 end)
            from enrolments e where e.school_id = $1 and e.student_id = s.student_id and e.state <> 'removed') as enrolments
       from students s where s.school_id = $1
      order by s.name, s.admission_no, s.student_id`,
      [OFF_ROLL],
    );
    const students: Roster['students'] = new Map();
    const byTag: Roster['byTag'] = new Map();
    for (const { studentId, admissionNo, name, dateOfBirth, enrolments } of rows) {
      const person = admissionNo === null || name === null ? undefined : { admissionNo, name, dateOfBirth, tag: normalised(admissionNo) };
      students.set(studentId, { person, enrolments: new Map(Object.entries(enrolments ?? {})), forgotten: person === undefined });
      if (person) byTag.set(person.tag, studentId);
    }
    return { students, byTag };
  },
};
export const plainTag = (_kind: string, value: string): string => normalised(value);

type ReadStudent = {
  readonly studentId: string;
  readonly admissionNo: string | null;
  readonly name: string | null;
  readonly dateOfBirth: string | null;
  readonly enrolments: Readonly<Record<string, string>> | null;
};
