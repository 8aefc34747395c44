import type { Actor } from '../actor.ts';
import type { RunSql, ReadAs } from '../common/facts.ts';
import { subjectIsThere } from '../common/of-subject.ts';
import { ProblemError } from '../common/problems.ts';
import { OnceAnHour } from './hand-outs.ts';
import type { Request } from './pipeline.ts';

/** Whom a user views the site as: a role, a certain teacher, or a certain student. */
export type ViewAs = { readonly role: 'leader' | 'teacher' | 'student'; readonly id?: string };

type Options = {
  readonly readAs: ReadAs;
  /** Executes the command that records who looked at a student. */
  readonly recordLook: (request: Request) => Promise<unknown>;
};

/** Lets staff see the site as others do. */
export class ViewingAs {
  readonly #options: Options;
  readonly #looks: OnceAnHour;

  constructor(options: Options) {
    this.#options = options;
    this.#looks = new OnceAnHour(options.recordLook);
  }

  /**
   * The user, viewing as a role below their own; undefined: as themselves. The rights stay their own. When viewing as a certain teacher or
   * student, the right to do so is checked with each request; who looked at which student is recorded once an hour.
   *
   * @throws ProblemError `forbidden`
   */
  async as(viewAs: ViewAs | undefined, actor: Actor): Promise<Actor> {
    if (viewAs === undefined || viewAs.role === actor.role) return actor;
    if ((RANK[actor.role] ?? 0) <= (RANK[viewAs.role] ?? 0))
      throw new ProblemError('forbidden', 'Your account cannot view the site as this role.');
    const { id } = viewAs;
    const viewer: Actor = { ...actor, viewAs };
    if (id === undefined) return viewer;
    if (viewAs.role === 'student') return this.#asStudent(viewer, id);
    if (!(await this.#options.readAs(actor.schoolId, (query) => maySeeTeacher(query, actor, id))))
      throw new ProblemError('forbidden', 'This teacher is not one of yours.');
    return viewer;
  }

  async #asStudent(actor: Actor, studentId: string): Promise<Actor> {
    if (!(await this.#options.readAs(actor.schoolId, (query) => maySeeStudent(query, actor, studentId))))
      throw new ProblemError('forbidden', 'This student is not one of yours.');
    await this.#looks.record(actor, studentId, { studentId });
    return { ...actor, studentId };
  }
}

/** Users may view as a role of lower rank. */
const RANK: Readonly<Partial<Record<Actor['role'], number>>> = { admin: 3, leader: 2, teacher: 1, student: 0 };

/** An admin may see every student of the school, a leader those of their subjects, a teacher those of their sets. */
const maySeeStudent = async (query: RunSql, { role, subjectIds, setIds }: Actor, studentId: string): Promise<boolean> => {
  const rows = await query(
    role === 'admin'
      ? `select from students where school_id = $1 and student_id = $2 and ($3::uuid[] is not null)`
      : `select from enrolments where school_id = $1 and student_id = $2 and state <> 'removed'
            and ${role === 'leader' ? 'subject_id' : 'set_id'} = any($3::uuid[]) and ${subjectIsThere('enrolments')}`,
    [studentId, role === 'leader' ? subjectIds : setIds],
  );
  return rows.length > 0;
};

/** An admin may see what every teacher of the school sees, a leader what those of their subjects see. */
const maySeeTeacher = async (query: RunSql, { role, subjectIds }: Actor, teacherId: string): Promise<boolean> => {
  const rows = await query(
    `select from teachers where school_id = $1 and teacher_id = $2 and ($3 or subject_id = any($4::uuid[]))
        and ${subjectIsThere('teachers')}`,
    [teacherId, role === 'admin', subjectIds],
  );
  return rows.length > 0;
};
