import type { World } from '../matrix/world.ts';
import { bindings } from './bindings.ts';

/** Marks in every question of the mock: A1 has 4, 6 and 2, A2 5, 10 and 0, B1 1, 2 and 3, B2 1, none and 2. */
const MARKS: Readonly<Record<string, readonly (number | null)[]>> = {
  A1: [4, 6, 2],
  A2: [5, 10, 0],
  B1: [1, 2, 3],
  B2: [1, null, 2],
};

export const marked = async ({ school: { as, ids } }: World): Promise<void> => {
  const admin = await as('admin');
  await admin.done('EnterMarks', {
    entryId: crypto.randomUUID(),
    subjectId: ids.maths,
    seq: 1,
    cells: Object.entries(MARKS).flatMap(([short, marks]) =>
      marks.flatMap((is, place) =>
        is === null ? [] : [{ testId: ids.mock, studentId: ids.students[short], questionId: ids.questions[place], is }],
      ),
    ),
  });
};

/** The topic rests on the first question only. */
export const bound = async (world: World): Promise<void> => {
  const { as, ids } = world.school;
  await bindings(world);
  const { maths: subjectId, schemeTopic: schemeTopicId, questions } = ids;
  await (await as('admin')).done('LinkPrerequisite', { subjectId, links: [{ schemeTopicId, questionId: questions[1] }], linked: false });
  await marked(world);
};
