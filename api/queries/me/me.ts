import { z } from 'zod';
import type { Me } from '../../contract/structure.ts';
import { question } from '../query.ts';

/** Who is signed in, and the subjects that he works in: all of the school for an admin and an auditor. */
export const me = question({
  input: z.object({}),
  models: ['structure', 'accounts', 'roster'],
  async run(query, _input, actor): Promise<Me> {
    const all = actor.role === 'admin' || actor.role === 'auditor';
    const subjects = await query<{ subjectId: string; name: string }>(
      `select subject_id as "subjectId", name from subjects where school_id = $1 and not removed and ($2 or subject_id = any($3::uuid[])) order by name`,
      [all, actor.subjectIds],
    );
    const [school] = await query<{ name: string }>(`select name from schools where school_id = $1`);
    const { accountId, name, email, schoolId, viewAs } = actor;
    const [student] = viewAs?.id === undefined ? [] : await query<{ name: string | null }>(STUDENT, [viewAs.id]);
    // `system` never signs in.
    const role = actor.role === 'system' ? 'admin' : actor.role;
    return {
      accountId,
      name,
      email,
      role,
      school: { schoolId, name: school?.name ?? '' },
      subjects,
      ...(viewAs && { viewAs: { role: viewAs.role, ...(viewAs.id !== undefined && { studentId: viewAs.id, name: student?.name ?? '' }) } }),
    };
  },
});

const STUDENT = `select name from students where school_id = $1 and student_id = $2`;
