import type { Actor } from '../../api/actor.ts';
import type { FlaggedTotal } from '../../api/contract/total-flag.ts';
import { flaggedTotalsOf } from '../../api/tasks/ranking/flagged-totals.facts.ts';
import type { Builder } from './builder.ts';
import { there } from './builder.ts';
import type { Mathematics, Staff } from './mathematics.ts';
import type { Paper, Sets } from './papers.ts';
import { PRIOR_EXAM } from './prior.ts';
import type { Teaching } from './people.ts';
import { teaching } from './people.ts';

/** Which classes sit which papers for a task, and whose they are. */
type Classes = Readonly<Partial<Record<Teaching, readonly string[]>>>;
export const teachersOf = (classes: Classes): readonly Teaching[] => teaching.filter((who) => classes[who] !== undefined);

type Planned = { readonly name: string; readonly classes: Classes; readonly papers: (set: string) => readonly Paper[] };
type Note = { readonly no: string; readonly teacherRank?: number; readonly comment: string };

/** One feedback task from its beginning: each act happens at the calendar's time. */
export class DemoTask {
  readonly #builder: Builder;
  readonly #staff: Staff;
  readonly #maths: Mathematics;
  readonly #sets: Sets;
  readonly #planned: Planned;
  #taskId = '';

  constructor(builder: Builder, school: { readonly staff: Staff; readonly maths: Mathematics; readonly sets: Sets }, planned: Planned) {
    this.#builder = builder;
    this.#staff = school.staff;
    this.#maths = school.maths;
    this.#sets = school.sets;
    this.#planned = planned;
  }

  /** The leader adds it, and ranks by all its papers. */
  async ranked(): Promise<void> {
    const { name, papers } = this.#planned;
    const { subjectId, yearGroupId, papers: tests } = this.#maths;
    const maps = Object.values(this.#planned.classes).flatMap((names) =>
      names.flatMap((set) => papers(set).map((paper) => ({ setId: this.#setId(set), testId: there(tests.get(paper), paper) }))),
    );
    await this.#builder.settled();
    const { taskId = '' } = await this.#done('leader', 'CreateFeedbackTask', {
      subjectId,
      yearGroupId,
      name,
      expiry: this.#builder.calendar.dayAhead(14),
      teacherInput: true,
      maps,
    });
    this.#taskId = taskId;
    const [exam] = await this.#builder.rows<{ id: string }>(
      `select terminal_exam_id as id from terminal_exams where school_id = $1 and subject_id = $2 and name = $3`,
      [subjectId, PRIOR_EXAM],
    );
    const testIds = [...new Set(maps.map(({ testId }) => testId))];
    // The leader ranks although some totals are still flagged.
    const flaggedTotals = await this.#builder.rows<FlaggedTotal>(
      `select f.student_id as "studentId", f.test_id as "testId", f.flag
         from (${flaggedTotalsOf({
           students: 'array(select e.student_id from enrolments e where e.school_id = $1 and e.set_id = any($2::uuid[]))',
           tests: '$3::uuid[]',
         })}) f`,
      [maps.map(({ setId }) => setId), testIds],
    );
    await this.#done('leader', 'RankTask', { taskId, terminalExamId: there(exam, PRIOR_EXAM).id, testIds, flaggedTotals });
  }

  /** A teacher checks the ranking of their classes, with a comment on one student of a class. */
  async rankingChecked(who: Teaching, notes: Readonly<Record<string, Note>> = {}): Promise<void> {
    for (const set of this.#planned.classes[who] ?? []) {
      const rows = await this.#rowsOf(notes[set]);
      await this.#done(who, 'CheckRanking', { taskId: this.#taskId, setId: this.#setId(set), rows }, set);
    }
  }

  async graded(gradeProfileId: string): Promise<void> {
    await this.#done('leader', 'AssignGrades', { taskId: this.#taskId, gradeProfileId });
  }

  async gradesChecked(who: Teaching, notes: Readonly<Record<string, Note>> = {}): Promise<void> {
    for (const set of this.#planned.classes[who] ?? []) {
      const rows = (await this.#rowsOf(notes[set])).map(({ teacherRank: _, ...row }) => row);
      await this.#done(who, 'CheckGrades', { taskId: this.#taskId, setId: this.#setId(set), rows }, set);
    }
  }

  /** Students who sat none of the papers are exempt. */
  async ended(): Promise<void> {
    const unranked = await this.#builder.rows<{ id: string }>(
      `select student_id as id from task_students where school_id = $1 and task_id = $2 and ranking is null order by student_id`,
      [this.#taskId],
    );
    const rows = unranked.map(({ id }) => ({ studentId: id, ranking: null, score: null, grade: null, exempt: true }));
    if (rows.length > 0) await this.#done('leader', 'DecideResults', { taskId: this.#taskId, rows });
    await this.#done('leader', 'CompleteTask', { taskId: this.#taskId });
  }

  async #rowsOf(note: Note | undefined) {
    if (!note) return [];
    const studentId = (await this.#builder.studentIds([note.no])).get(note.no);
    return [{ studentId, teacherRank: note.teacherRank ?? null, flag: true, comment: note.comment }];
  }

  #setId(name: string): string {
    return there(this.#sets.idsOf([name])[0], name);
  }

  #done(who: Teaching, command: Parameters<Builder['done']>[2], body: object, about = ''): Promise<Record<string, string>> {
    return this.#builder.done(there(this.#staff.get(who), who), `${this.#planned.name} ${about}`.trim(), command, body);
  }
}

/** The grade profile of the year group. */
export const gradeProfile = async ({ done }: Builder, leader: Actor, { subjectId, yearGroupId }: Mathematics): Promise<string> => {
  const shares = [4, 7, 13, 19, 21, 16, 11, 6, 3];
  const grades = shares.map((percent, at) => ({ label: String(9 - at), percent }));
  const { gradeProfileId = '' } = await done(leader, 'profile', 'CreateGradeProfile', {
    subjectId,
    yearGroupId,
    name: 'GCSE 9 to 1',
    grades,
  });
  return gradeProfileId;
};
