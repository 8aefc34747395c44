import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { commandAccess, commandsFromOutside } from '../../api/access.ts';
import type { CommandName } from '../../api/commands.ts';
import type { Client } from '../support/client.ts';
import { commandSamples, spareParts } from '../support/samples.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school, admin, student } = await schoolOfFile('admin', 'student');
beforeAll(async () => {
  await admin.done('ShowAssessment', { testId: school.ids.mock, visible: true });
});

const by = (name: CommandName): Client => {
  const { roles, within } = commandAccess[name];
  return within === 'self' || !roles.includes('admin') ? student : admin;
};
type Result = Record<string, unknown> & { readonly leftOut?: readonly string[] };
type Sent = { readonly name: CommandName; readonly input: unknown; readonly key: string; readonly wrote: boolean; readonly result: Result };

const send = async (name: CommandName, input: unknown): Promise<Sent> => {
  const key = randomUUID();
  const { status, body } = await by(name).command(name, input, { key });
  expect([name, status, body.title]).toEqual([name, 200, undefined]);
  return { name, input, key, wrote: body.position !== null, result: body.result };
};

/** The same, but for what is said to be left out: that is 0, empty, or another sentence. */
const expectSame = ({ name, result }: Sent, again: Result): void => {
  const { leftOut = [], ...parts } = again;
  const { leftOut: _, ...before } = result;
  const isOut = (part: string) => leftOut.includes(part) || (part === 'message' && leftOut.includes('maximum'));
  const without = (all: unknown): unknown => JSON.parse(JSON.stringify(all, (part, value: unknown) => (isOut(part) ? undefined : value)));
  expect([name, without(parts)]).toEqual([name, without(before)]);
};

/** What a command stood on, and others have changed since, must not show in the answer to whoever did not hear the first. */
test('every command that is sent again answers what it answered at first, or says what it leaves out', async () => {
  const { ids } = school;
  const subjectId = ids.maths;
  const samples = commandSamples(school, await spareParts(school));
  const all: Sent[] = [];
  // oxlint-disable no-await-in-loop -- one after the other
  for (const name of commandsFromOutside) all.push(await send(name, samples[name]));
  expect(all.filter(({ wrote }) => wrote).length).toBeGreaterThan(40);

  // Files with a student who is not known, marks that are refused, and answers with counts.
  const row = { admissionNo: '00A2', name: 'A2' };
  const stranger = { admissionNo: 'late', name: 'Late' };
  const upload = { subjectId, fileName: 'totals.csv', classes: [{ setId: ids.setA, testIds: [ids.mock] }] };
  const totals = await send('UploadTotals', {
    ...upload,
    rows: [
      { ...row, totals: [7] },
      { ...stranger, totals: [8] },
    ],
  });
  const marks = await send('UploadMarks', {
    subjectId,
    testId: ids.mock,
    setIds: [ids.setA],
    fileName: 'marks.csv',
    rows: [
      { ...row, marks: [1, 2, 3] },
      { ...stranger, marks: [1, 1, 1] },
    ],
  });
  const exam = { subjectId, terminalExamId: ids.terminalExam, yearCompleted: new Date().getUTCFullYear() };
  await admin.done('RestoreTerminalExam', { subjectId, terminalExamId: ids.terminalExam });
  const prior = await send('UploadPriorScores', {
    ...exam,
    fileName: 'prior.csv',
    rows: [
      { ...row, score: 'B' },
      { ...stranger, score: 'C' },
    ],
  });
  const typed = await send('EnterMarks', {
    entryId: randomUUID(),
    subjectId,
    seq: 1,
    cells: [
      { studentId: ids.students['A2'], testId: ids.mock, questionId: ids.questions[1], is: 4 },
      { studentId: ids.students['A2'], testId: ids.mock, questionId: ids.questions[2], is: 500 },
    ],
  });
  const { entryId, commandId } = totals.result;
  const undo = await send('UndoCommand', { entryId, commandId });
  all.push(totals, marks, prior, typed, undo);
  expect(totals.result).toMatchObject({ stored: 1, unmatched: [stranger] });
  expect(prior.result).toMatchObject({ stored: 1, unmatched: [stranger] });
  expect(undo.result).toMatchObject({ own: 1 });

  const again = async ({ name, input, key }: Sent): Promise<Result> => {
    const { status, body } = await by(name).command(name, input, { key });
    expect([name, status, body.title]).toEqual([name, 200, undefined]);
    return body.result;
  };
  // Right away nothing of the files is left out.
  for (const file of [totals, marks, prior]) expect([file.name, await again(file)]).toEqual([file.name, file.result]);

  // Whoever was not known is now; somebody enters the same total; a maximum is another; a class has another name.
  await admin.done('AddStudent', { subjectId, setId: ids.setA, admissionNo: 'late', name: 'Late', dateOfBirth: null });
  const same = { studentId: ids.students['A2'], testId: ids.mock, is: 7 };
  await admin.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells: [same] });
  const questions = [20, 20, 20].map((marksAvailable, index) => ({ questionId: ids.questions[index], topic: 'Topic', marksAvailable }));
  await admin.done('EditQuestions', { testId: ids.mock, questions });
  await admin.done('ChangeSet', { subjectId, setId: ids.setA, name: 'Another name' });
  for (const sent of all) if (sent.wrote) expectSame(sent, await again(sent));
  // oxlint-enable no-await-in-loop
  expect(await again(totals)).toMatchObject({ stored: 1, unmatched: [], leftOut: ['unchanged', 'unmatched'] });
  expect(await again(prior)).toMatchObject({ stored: 1, unmatched: [], leftOut: ['unmatched'] });
  expect(await again(undo)).toMatchObject({ undone: true, cells: 1, leftOut: ['own', 'shared', 'replaced', 'alsoBy'] });
});
