import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { act, ask, enter } from '../calls.ts';

/** An assessment of Algebra, Ratio and Shape with the marks of three students. `holds`: waits until its questions have so many marks. */
export const markedPaper = async ({ request }: Page, name: string) => {
  const [subject] = (await (await request.get('/api/rest/subjects?filter={"name":"Mathematics"}')).json()) as { id: string }[];
  const subjectId = subject?.id ?? '';
  const { yearGroups } = await ask<Structure>(request, `structure?subjectId=${subjectId}`);
  const { students } = await ask<Markbook>(request, `markbook?yearGroupId=${yearGroups[0]?.yearGroupId}`);
  const { testId = '' } = (await act(request, 'CreateAssessment', { subjectId, name })).result;
  const questions = ['Algebra', 'Ratio', 'Shape'].map((topic, index) => ({ number: index + 1, topic, marksAvailable: 5 }));
  const { position } = await act(request, 'UploadQuestions', { testId, questions });
  const paper = (of: string | null = null) => ask<AssessmentContents>(request, `assessment?testId=${testId}`, of);
  const cells = (await paper(position)).questions.flatMap(({ questionId }, index) =>
    students.slice(0, 3).map(({ studentId }) => ({ studentId, testId, questionId, is: index + 1 })),
  );
  await enter(request, subjectId, cells);
  const held = async () => (await paper()).questions.map(({ topic, marks }) => `${topic}: ${marks}`);
  return { holds: (...marks: readonly string[]) => expect.poll(held).toEqual(marks) };
};

/** Opens what is to be done with the questions of an assessment. */
export const openQuestions = async (page: Page, name: string, what: 'Upload questions' | 'Edit questions'): Promise<Locator> => {
  await page.goto('/admin/assessments');
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: what }).click();
  return page.getByRole('dialog', { name: what === 'Upload questions' ? `Upload questions of ${name}` : `Questions of ${name}` });
};
