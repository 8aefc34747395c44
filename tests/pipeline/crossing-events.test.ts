import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CellHistory, Markbook } from '../../api/marks/marks.contract.ts';
import type { SubmissionPage, Tracker } from '../../api/marks/submissions/submissions.contract.ts';
import { streamOf } from '../../events/aggregate.ts';
import type { CommandMetadata } from '../../events/codec/event.ts';
import { submissionId } from '../../events/marks/submission.ts';
import type { MarktrailEvent } from '../../events/registry.ts';
import { openCodec } from '../support/log.ts';
import { expectMarksAsInLog } from '../support/marks-in-log.ts';
import { openSchool, type School } from '../support/school.ts';

/** Appends to a new stream what no command would have written by then. */
const written = async (
  { backend, databaseUrl, schoolId }: School,
  stream: string,
  { event, by }: { readonly event: MarktrailEvent; readonly by: CommandMetadata['actor'] },
): Promise<void> => {
  const { codec, close } = openCodec(databaseUrl);
  const commandId = randomUUID();
  const about = { commandId, correlationId: commandId, causationId: commandId, at: new Date().toISOString(), bodyTag: 'any', actor: by };
  await backend.store.append(stream, await codec.encode(schoolId, [event], [randomUUID()], about), 'none');
  await close();
};

/**
 * Rules across streams are checked on facts, and facts may be a moment old: a teacher types a mark for the third question while the leader
 * takes it off the paper, and the log has the mark after the paper.
 */
test('a mark that came just after its question left the paper is kept, and counts when the question is back', async () => {
  const school = await openSchool();
  const { ids, schoolId, backend, databaseUrl, accounts } = school;
  const admin = await school.as('admin');
  const paper = (marks: readonly number[]) =>
    admin.done('UploadQuestions', {
      testId: ids.mock,
      questions: marks.map((marksAvailable, index) => ({ number: index + 1, topic: `Topic ${index + 1}`, marksAvailable })),
      answers: marks.map((_max, index) => ({ number: index + 1, questionId: ids.questions[index] })),
    });

  await paper([5, 10]);
  const marks = {
    columns: ids.questions.map((questionId) => ({ cell: 'mark' as const, testId: ids.mock, questionId, max: 5 })),
    students: [ids.students['C4'] ?? ''],
    is: [[null, null, 4]],
  };
  const by = { accountId: accounts.leader, role: 'leader', right: { by: 'subject', subjectId: ids.maths } } as const;
  await written(school, streamOf('entry', schoolId, randomUUID()), {
    event: { type: 'MarksEntered', data: { subjectId: ids.maths, seq: 1, marks, refused: [] } },
    by,
  });
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

  await school.close();
});

/** The other way round: a student confirms the full mark of a question while its maximum is lowered, and the log has their mark after that. */
test('a student’s mark that came just after its maximum was lowered is flagged as those of staff are, and told the student, until staff enter another', async () => {
  const school = await openSchool();
  const { ids, schoolId, backend, databaseUrl, accounts } = school;
  const teacher = await school.as('teacherA');
  const studentId = ids.students['A1'] ?? '';
  const [questionId = ''] = ids.questions;
  const ownMarks = [5, 10, 5].map((mark, index) => ({
    questionId: ids.questions[index] ?? '',
    mark: index === 0 ? mark + 1 : mark,
    max: mark + 1,
  }));
  await written(school, streamOf('submission', schoolId, submissionId(ids.mock, studentId)), {
    event: { type: 'SubmissionConfirmed', data: { subjectId: ids.maths, ownMarks } },
    by: { accountId: accounts.student, role: 'student', right: { by: 'self' } },
  });
  await expectMarksAsInLog(backend, databaseUrl);

  const flagged = async () => (await teacher.ask<Tracker>('tracker', { testId: ids.mock, setId: ids.setA })).students[0]?.aboveMaximum;
  const above = async () => (await teacher.ask<CellHistory>('cell', { testId: ids.mock, studentId, questionId })).above;
  expect(await flagged()).toBe(1);
  expect(await above()).toEqual([{ questionId, number: 1, mark: 6, max: 5 }]);
  await (await school.as('admin')).done('ShowAssessment', { testId: ids.mock, visible: true });
  const student = await school.as('student');
  const page = async () => student.ask<SubmissionPage>('submission', { testId: ids.mock });
  expect(await page()).toMatchObject({
    aboveMaximum: 1,
    message: '1 of your marks is above the maximum that its question has now.',
    mayReopen: false,
  });
  await teacher.done('EnterMarks', {
    entryId: randomUUID(),
    subjectId: ids.maths,
    seq: 1,
    cells: [{ testId: ids.mock, questionId, studentId, is: 5 }],
  });
  expect([await flagged(), await above()]).toEqual([0, []]);
  expect(await page()).toMatchObject({ aboveMaximum: 0 });

  await school.close();
});
