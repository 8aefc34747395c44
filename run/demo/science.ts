import type { Actor } from '../../api/actor.ts';
import type { Builder } from './builder.ts';
import type { Taught } from './people.ts';
import { people } from './people.ts';

const topics = ['Energy stores', 'Electric circuits', 'Forces and motion', 'Waves'];

export type Science = Taught & { readonly testId: string; readonly setId: string };

/** A second subject with one set, for a teacher of both. */
export const science = async ({ done }: Builder, admin: Actor): Promise<Science> => {
  const { subjectId = '' } = await done(admin, 'science', 'AddSubject', { name: 'Science' });
  const { schemeId } = await done(admin, 'science', 'AddScheme', { subjectId, name: 'Energy and forces', topics });
  const { yearGroupId } = await done(admin, 'science 11', 'AddYearGroup', { subjectId, year: 11 });
  const { testId = '' } = await done(admin, 'science test', 'CreateAssessment', { subjectId, name: 'Energy and forces test' });
  const questions = topics.map((topic, index) => ({ number: index + 1, topic, marksAvailable: 5 }));
  await done(admin, 'science test', 'UploadQuestions', { testId, questions });
  const { setId = '' } = await done(admin, '11S1', 'AddSet', { subjectId, yearGroupId, name: '11S1', schemeId });
  await done(admin, '11S1', 'ChangeSet', { subjectId, setId, testIds: [testId] });
  const { teacherId = '' } = await done(admin, 'science', 'AddTeacher', { subjectId, name: people.teacher2.name });
  await done(admin, 'science', 'ChangeTeacher', { subjectId, teacherId, setIds: [setId] });
  return { subjectId, teacherId, testId, setId };
};

/** A dozen students of the school join it. */
export const intoScience = async (
  { done }: Builder,
  admin: Actor,
  { subjectId, setId }: Science,
  studentIds: readonly string[],
): Promise<void> => {
  await done(admin, '11S1', 'ChangeStudents', { subjectId, changes: studentIds.map((studentId) => ({ studentId, place: { setId } })) });
};

/** The teacher types their totals in its test. */
export const typedScience = async (
  { calendar, done, idOf }: Builder,
  teacher: Actor,
  { subjectId, testId, setId }: Science,
  studentIds: readonly string[],
): Promise<void> => {
  calendar.goTo(7, 'Fri', '14:30');
  const cells = studentIds.map((studentId, at) => ({ studentId, testId, is: 8 + ((at * 5) % 12), was: [] }));
  // The actor has the sets of Mathematics only, and cells of other sets would be left out without a refusal.
  const inScience = { ...teacher, setIds: [setId] };
  await done(inScience, 'science', 'EnterMarks', { entryId: idOf('science'), subjectId, seq: 1, cells });
};
