import { decodeCell, type StoredCell } from '../../events/marks/cell-text.ts';
import { completeResults } from '../analysis/student/home.query.ts';
import type { RunSql } from '../common/facts.ts';
import { inOrder } from '../common/in-order.ts';
import { studentOf } from '../common/of-student.ts';
import { defineQuery } from '../common/query.ts';
import { ifMarkFlagged } from '../contract/flags.ts';
import { ATTENDANCE, STAFF_TOTAL, TOTAL_FLAGS, ifFlagged, paperOf } from '../marks/staff-total.facts.ts';
import type { MyData } from './my-data.contract.ts';
import { myDataQueries } from './my-data.contract.ts';

type Subject = MyData['subjects'][number];
type Test = Subject['tests'][number];
type Cell = { readonly kind: 'm' | 't' | 'a'; readonly number: number | null; readonly cell: StoredCell };
type ReadTest = Omit<Test, 'changes' | 'flags' | 'questions'> & {
  readonly subjectId: string;
  readonly flags: number;
  readonly questions: readonly (Omit<Test['questions'][number], 'flags'> & { readonly isContested: boolean })[];
  readonly cells: readonly Cell[];
};
type Save = { readonly commandId: string; readonly at: string; readonly kind: string; readonly role: string | null };

/** Everything stored about the student that they may see. */
export const myData = defineQuery({
  ...myDataQueries['my-data'],
  models: ['structure', 'roster', 'assessments', 'results', 'tasks', 'prior', 'accounts', 'looks'],
  live: { structure: null, roster: null, assessments: null, results: null, tasks: null, prior: null, accounts: null, looks: null },
  async run(query, _input, actor): Promise<MyData> {
    const studentId = studentOf(actor);
    const [person] = await query<Pick<MyData, 'name' | 'admissionNo' | 'dateOfBirth' | 'accounts' | 'looks'>>(PERSON, [studentId]);
    const subjects = await query<Omit<Subject, 'tests' | 'results'>>(SUBJECTS, [studentId]);
    const tests = await testsOf(query, studentId);
    return {
      name: person?.name ?? null,
      admissionNo: person?.admissionNo ?? null,
      dateOfBirth: person?.dateOfBirth ?? null,
      accounts: person?.accounts ?? [],
      looks: person?.looks ?? [],
      subjects: await Promise.all(
        subjects.map(async (subject) => ({
          ...subject,
          results: (await completeResults(query, { studentId, subjectId: subject.subjectId })).map(({ taskId: _id, ...result }) => result),
          tests: tests.flatMap(({ subjectId, ...test }) => (subjectId === subject.subjectId ? [test] : [])),
        })),
      ),
    };
  },
});

const testsOf = async (query: RunSql, studentId: string): Promise<readonly (Test & { readonly subjectId: string })[]> => {
  const read = await query<ReadTest>(TESTS, [studentId]);
  const cells = read.flatMap(({ testId, cells: ofTest }) => ofTest.map((one) => ({ ...one, testId, changes: decodeCell(one.cell) })));
  const commands = [...new Set(cells.flatMap(({ changes }) => changes.map(({ command }) => command)))];
  const saves = new Map((await query<Save>(SAVES, [commands])).map((save) => [save.commandId, save]));
  return read.map(({ cells: _cells, flags, ...test }) => ({
    ...test,
    ...ifFlagged(flags),
    questions: test.questions.map(({ isContested, ...question }) => ({ ...question, ...ifMarkFlagged({ ...question, isContested }) })),
    changes: cells
      .filter(({ testId }) => testId === test.testId)
      .flatMap(({ kind, number, changes }) =>
        changes.map(({ command, is, undone }) => {
          const save = saves.get(command);
          return {
            at: save?.at ?? null,
            role: save?.role ?? null,
            how: save?.kind === 'typed' ? ('typed' as const) : save?.kind === 'decided' ? ('decided' as const) : ('upload' as const),
            what: KINDS[kind],
            number,
            value: is,
            undone,
          };
        }),
      )
      .toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '')),
  }));
};
const KINDS = { m: 'mark', t: 'total', a: 'attendance' } as const;

/** $1 school; $2 student. */
const PERSON = `
select s.name, s.admission_no as "admissionNo", to_char(s.date_of_birth, 'YYYY-MM-DD') as "dateOfBirth",
  (select coalesce(json_agg(json_build_object('email', a.email, 'since', a.opened_at) order by a.opened_at), '[]')
     from accounts a where a.school_id = $1 and a.student_id = $2 and not a.closed) as accounts,
  (select coalesce(json_agg(json_build_object('at', l.at, 'role', l.role) order by l.at desc), '[]')
     from looks l where l.school_id = $1 and l.student_id = $2) as looks
from students s
where s.school_id = $1 and s.student_id = $2`;

const SUBJECTS = `
select e.subject_id as "subjectId", b.name,
  (select coalesce(json_agg(json_build_object('set', g.name, 'from', p.one ->> 'from') order by p.place), '[]')
     from json_array_elements(e.memberships) with ordinality p (one, place)
     left join sets g on g.school_id = $1 and g.set_id = (p.one ->> 'setId')::uuid) as memberships,
  (select coalesce(json_agg(json_build_object('exam', x.name, 'score', p.score, 'yearCompleted', p.year_completed) order by x.name), '[]')
     from prior_scores p
     join terminal_exams x on x.school_id = $1 and x.terminal_exam_id = p.terminal_exam_id and x.subject_id = e.subject_id
    where p.school_id = $1 and p.student_id = $2 and p.score is not null) as priors
from enrolments e
join subjects b on b.school_id = $1 and b.subject_id = e.subject_id
where e.school_id = $1 and e.student_id = $2 and e.state <> 'removed'
order by ${inOrder('b.name')}, e.subject_id`;

const TESTS = `
select t.test_id as "testId", t.subject_id as "subjectId", t.name, t.max, ${ATTENDANCE} as attendance, ${STAFF_TOTAL} as total, ${TOTAL_FLAGS} as flags,
  (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic, 'max', q.marks_available,
            'mark', r.mark, 'isContested', coalesce(r.contested, false), 'own', (o.confirmations -> -1 -> 'marks' ->> q.question_id::text)::int4) order by q.number), '[]')
     from questions q
     left join results r on r.school_id = $1 and r.test_id = t.test_id and r.student_id = $2 and r.kind = 'm' and r.item_id = q.question_id
    where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions,
  (select coalesce(json_agg(json_build_object('kind', r.kind, 'cell', r.cell, 'number', q.number)), '[]')
     from results r
     left join questions q on q.school_id = $1 and q.question_id = r.item_id and not q.hidden
    where r.school_id = $1 and r.test_id = t.test_id and r.student_id = $2) as cells,
  (select coalesce(json_agg(json_build_object('at', c.one ->> 'at', 'total', (select coalesce(sum(v.value::int4), 0) from json_each_text(c.one -> 'marks') v))
            order by c.place), '[]')
     from json_array_elements(o.confirmations) with ordinality c (one, place)) as submissions
from markbook m
join tests t on t.school_id = $1 and t.test_id = m.test_id and t.visible
${paperOf('t.test_id')}
left join submissions o on o.school_id = $1 and o.test_id = m.test_id and o.student_id = m.student_id
where m.school_id = $1 and m.student_id = $2
order by ${inOrder('t.name')}, t.test_id`;

const SAVES = `
select s.command_id as "commandId", to_json(s.at) #>> '{}' as at, s.kind, a.role
from saves s
left join accounts a on a.school_id = $1 and a.account_id = s.account_id
where s.school_id = $1 and s.command_id = any($2::uuid[])`;
