import { expect, test } from 'vitest';
import type { RecentUploads, Uploaded, UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { openSteps } from '../../support/worked-example.ts';

/** An undo that asks first says what it takes back, and which rankings rest on it; without the question it is done as ever. */
const { school } = await schoolOfFile();
const { example, leader, begin, rank, ranking } = await openSteps(school);

const surnames = Object.keys(example.students);

const undo = ({ entryId, commandId }: Pick<Uploaded, 'entryId' | 'commandId'>, ask: boolean) =>
  leader.command('UndoCommand', { entryId, commandId, ask });

test('of totals that students are ranked by', async () => {
  const { uploads } = await leader.ask<RecentUploads>('uploads', { subjectId: school.ids.maths });
  const [totals] = uploads;
  if (!totals) throw new Error('The example has an upload.');
  const taskId = await begin();
  await rank();
  // So does a preview, of what would be added or replaced.
  const file = (total: number) => ({
    subjectId: school.ids.maths,
    classes: [{ setId: example.setIds[0], testIds: [example.testIds[0]] }],
    rows: [{ admissionNo: `X${surnames[0]}`, name: '', totals: [total] }],
  });
  const previews = await Promise.all([0, 1].map((total) => leader.ask<UploadPreview>('preview-totals', file(total))));
  expect(previews.map(({ counts, rankings }) => [counts.equal, rankings]).every(([equal, rankings]) => rankings === 1 - (equal ?? 0))).toBe(
    true,
  );
  expect(previews.some(({ rankings }) => rankings === 1)).toBe(true);
  const first = await undo(totals, true);
  const takesBack = `This takes back ${totals.cells} marks.`;
  expect([first.status, first.body.code, first.body.title, first.body.asks]).toEqual([
    409,
    'answers-needed',
    `${takesBack} 1 ranking would show that totals have changed since.`,
    { marks: totals.cells, rankings: 1 },
  ]);
  // Nothing has changed.
  expect((await ranking()).ranking?.rankingId).toEqual(expect.any(String));
  expect((await ranking()).students.every(({ now }) => now === null)).toBe(true);
  // A task that was deleted ranks nobody.
  await leader.done('DeleteFeedbackTask', { taskId });
  expect((await undo(totals, true)).status).toBe(200);
  await leader.done('RedoCommand', { entryId: totals.entryId, commandId: totals.commandId });
  await leader.done('RestoreFeedbackTask', { taskId });
  expect((await undo(totals, true)).status).toBe(409);
  expect((await undo(totals, false)).status).toBe(200);
  expect((await ranking()).students.some(({ now }) => now !== null)).toBe(true);
  // It is undone already: there is nothing to ask about.
  expect((await undo(totals, true)).status).toBe(200);
  await leader.done('RedoCommand', { entryId: totals.entryId, commandId: totals.commandId });
});

test('of question marks only where no total was entered', async () => {
  const [x1] = example.setIds;
  const [testId] = example.testIds;
  const [surname = '', totalled = ''] = Object.keys(example.students);
  const marksOf = (...names: readonly string[]) =>
    leader.done<Uploaded>('UploadMarks', {
      subjectId: school.ids.maths,
      testId,
      setIds: [x1],
      fileName: 'marks.csv',
      rows: names.map((name) => ({ admissionNo: `X${name}`, name: `${name}, Student`, marks: [7] })),
    });
  await rank();
  expect((await undo(await marksOf(surname, totalled), true)).status).toBe(200);
});
