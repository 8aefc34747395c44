import type { Actor } from '../actor.ts';
import { mayWriteSet } from '../actor.ts';
import type { Elsewhere, UndoFacts } from './undo.facts.ts';
import type { Refused } from '../common/command.ts';
import { refuse } from '../common/command.ts';

/**
 * Teachers may undo their own commands as long as all their students are in the teacher's classes; leaders and admins everything where they may
 * write. A command is undone as a whole: nobody decided on half of an upload.
 */
export const refusedTurn = (facts: Whose | undefined, actor: Actor, act: 'undo' | 'redo'): Refused | undefined => {
  if (!facts) return refuse('not-found', 'There is no such upload or save.');
  const { subjectId, setIds, accountId } = facts;
  if (actor.role === 'teacher' && accountId !== actor.accountId)
    return refuse('forbidden', `Only its author, a leader or an admin can ${act} it.`);
  if (setIds.every((setId) => mayWriteSet(actor, { setId: setId ?? '', subjectId }))) return undefined;
  return actor.role === 'teacher'
    ? elsewhereNow(facts.elsewhere, act)
    : refuse('not-your-set', 'It includes marks of classes that you may not enter marks for.');
};

type Whose = Pick<NonNullable<UndoFacts>, 'subjectId' | 'accountId' | 'setIds' | 'elsewhere'>;

/** Naming the students reveals nothing: they were in the author's classes when the marks were entered. */
const elsewhereNow = (students: readonly Elsewhere[], act: 'undo' | 'redo'): Refused => {
  const named = students.map(({ studentId, name, place }) => ({
    path: `students.${studentId}`,
    message: `${name ?? 'A forgotten student'} (${place ?? 'no longer in the subject'})`,
  }));
  const first = named.slice(0, SHOWN).map(({ message }) => message);
  const whom = [...first, ...(named.length > SHOWN ? [`${named.length - SHOWN} more`] : [])];
  const who = named.length === 1 ? 'a student who is' : `${named.length} students who are`;
  return refuse(
    'not-your-set',
    `It holds marks of ${who} in none of your classes now: ${whom.join(', ')}. A leader of the subject or an admin can ${act} it.`,
    named,
  );
};

/** in the sentence; all of them are in its list */
const SHOWN = 3;
