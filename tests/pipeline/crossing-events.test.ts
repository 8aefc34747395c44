import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import { streamOf } from '../../events/aggregate.ts';
import { openCodec } from '../support/log.ts';
import { expectMarksAsInLog } from '../support/marks-in-log.ts';
import { openSchool } from '../support/school.ts';

/**
 * Rules across streams are checked on facts, and facts may be a moment old: a teacher types a mark for the third question while the leader
 * takes it off the paper, and the log has the mark after the paper.
 */
test('a mark that came just after its question left the paper is kept, and counts when the question is back', async () => {
  const school = await openSchool();
  const { ids, schoolId, backend, databaseUrl, accounts } = school;
  const opened = openCodec(databaseUrl);
  const admin = await school.as('admin');
  const paper = (marks: readonly number[]) =>
    admin.done('UploadQuestions', {
      testId: ids.mock,
      questions: marks.map((marksAvailable, index) => ({ number: index + 1, topic: `Topic ${index + 1}`, marksAvailable })),
      answers: marks.map((_max, index) => ({ number: index + 1, questionId: ids.questions[index] })),
    });

  await paper([5, 10]);
  const [entryId, commandId] = [randomUUID(), randomUUID()];
  const marks = {
    columns: ids.questions.map((questionId) => ({ cell: 'mark' as const, testId: ids.mock, questionId, max: 5 })),
    students: [ids.students['C4'] ?? ''],
    is: [[null, null, 4]],
  };
  const events = await opened.codec.encode(
    schoolId,
    [{ type: 'MarksEntered', data: { subjectId: ids.maths, seq: 1, marks, refused: [] } }],
    [randomUUID()],
    {
      commandId,
      correlationId: commandId,
      causationId: commandId,
      at: new Date().toISOString(),
      bodyTag: 'any',
      actor: { accountId: accounts.leader, role: 'leader', right: { by: 'subject', subjectId: ids.maths } },
    },
  );
  await backend.store.append(streamOf('entry', schoolId, entryId), events, 'none');
  await expectMarksAsInLog(backend, databaseUrl);

  await paper([5, 10, 5]);
  await expectMarksAsInLog(backend, databaseUrl);
  await admin.done('EnterMarks', {
    entryId: randomUUID(),
    subjectId: ids.maths,
    seq: 1,
    cells: ids.questions.slice(0, 2).map((questionId) => ({ testId: ids.mock, questionId, studentId: ids.students['C4'], is: 1 })),
  });
  await expectMarksAsInLog(backend, databaseUrl);
  const { students, tests } = await admin.ask<Markbook>('markbook', { yearGroupId: ids.year });
  const mock = tests.findIndex(({ testId }) => testId === ids.mock);
  expect(students.find(({ studentId }) => studentId === ids.students['C4'])?.totals[mock]).toMatchObject({ total: 6, source: 'marks' });

  await opened.close();
  await school.close();
});
