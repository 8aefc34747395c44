import type { Context } from 'hono';
import { uuidv5 } from '../../../events/codec/ids.ts';
import { UUID_TEXT } from '../../../events/uuid.ts';
import type { Actor } from '../../actor.ts';
import type { Commands } from '../../commands.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import type { RunSql } from '../../common/facts.ts';
import { subjectIsThere } from '../../common/of-subject.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Check } from './middleware.ts';
import { isRead } from './request.ts';

/**
 * `X-View-As: leader`, `teacher`, `teacher <id of the teacher>`, `student` or `student <id of the student>`: sent with every request of a
 * page that is viewed this way.
 */
export const VIEW_AS_HEADER = 'X-View-As';

type Asked = { readonly role: 'leader' | 'teacher' | 'student'; readonly id?: string };

/** What may be sent while viewing as a student: queries, logging out, error reports. */
const HARMLESS = /^\/api\/(queries\/|identity\/sign-out$|errors$)/;

/** While viewing as a student nothing can be changed. */
export const readOnlyAsStudent: Check = (c) => {
  if (!isRead(c) && asked(c)?.role === 'student' && !HARMLESS.test(c.req.path)) throw new ProblemError('view-only', authMessages.viewOnly);
};

export type Viewing = {
  readonly bus: Commands;
  readonly readAs: <T>(schoolId: string, work: (query: RunSql) => Promise<T>) => Promise<T>;
};

/**
 * The user, viewing as a role below their own. The rights stay their own. When viewing as a certain teacher or student, the right to do so
 * is checked with each request; who looked at which student is recorded once an hour.
 *
 * @throws ProblemError `forbidden`, `invalid-input`
 */
export const viewingAs = async ({ bus, readAs }: Viewing, c: Context, actor: Actor): Promise<Actor> => {
  const viewAs = asked(c);
  if (viewAs === undefined || viewAs.role === actor.role) return actor;
  if ((RANK[actor.role] ?? 0) <= (RANK[viewAs.role] ?? 0))
    throw new ProblemError('forbidden', 'Your account cannot view the site as this role.');
  const { id } = viewAs;
  const seen: Actor = { ...actor, viewAs };
  if (id === undefined) return seen;
  if (viewAs.role === 'student') return asStudent({ bus, readAs }, seen, id);
  if (!(await readAs(actor.schoolId, (query) => maySeeTeacher(query, actor, id))))
    throw new ProblemError('forbidden', 'This teacher is not one of yours.');
  return seen;
};

const asStudent = async ({ bus, readAs }: Viewing, actor: Actor, studentId: string): Promise<Actor> => {
  if (!(await readAs(actor.schoolId, (query) => maySeeStudent(query, actor, studentId))))
    throw new ProblemError('forbidden', 'This student is not one of yours.');
  const hour = new Date().toISOString().slice(0, 13);
  const look = `${actor.accountId} ${studentId} ${hour}`;
  if (!written.has(look)) {
    await bus.execute('LookAtStudent', {
      actor,
      key: uuidv5(`${hour} ${studentId}`, actor.accountId),
      body: { studentId },
      own: true,
    });
    if (written.size > MOST_REMEMBERED) written.clear();
    written.add(look);
  }
  return { ...actor, studentId };
};

/** One may view as a role of a lower rank. */
const RANK: Readonly<Partial<Record<Actor['role'], number>>> = { admin: 3, leader: 2, teacher: 1, student: 0 };

/** Looks that this process has recorded; recording one twice does nothing. */
const written = new Set<string>();
const MOST_REMEMBERED = 10_000;

const asked = (c: Context): Asked | undefined => {
  const text = c.req.header(VIEW_AS_HEADER);
  if (text === undefined) return undefined;
  const [, role, id] = ROLE_AND_ID.exec(text.trim()) ?? [];
  const known = (['leader', 'teacher', 'student'] as const).find((one) => one === role?.toLowerCase());
  if (known === undefined || (id !== undefined && known === 'leader'))
    throw new ProblemError('invalid-input', `${VIEW_AS_HEADER} must be leader, teacher or student, the last two also with the id of one.`);
  return { role: known, ...(id === undefined ? {} : { id: id.toLowerCase() }) };
};

const ROLE_AND_ID = new RegExp(`^(leader|teacher|student)(?: (${UUID_TEXT}))?$`, 'i');

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
    `select from teachers where school_id = $1 and teacher_id = $2 and not removed and ($3 or subject_id = any($4::uuid[]))
        and ${subjectIsThere('teachers')}`,
    [teacherId, role === 'admin', subjectIds],
  );
  return rows.length > 0;
};
