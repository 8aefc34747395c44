/** The students of a year group submit their own marks while a teacher has the tracker open. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Tracker } from '../../api/marks/submissions/submissions.contract.ts';
import { type Figure, plain, quantile } from '../figures.ts';
import { openPage } from '../load/page.ts';
import { spending } from '../processor-time.ts';
import { type Asker, asker } from './http.ts';
import type { MarksSchool } from './school.ts';

/** `seconds`: within which everybody submits, spread evenly by chance. */
export const submissionFigures = async (url: string, leader: Asker, school: MarksSchool, seconds: number): Promise<Figure[]> => {
  const { testId, questionIds } = school.toSubmit;
  const path = `tracker?${new URLSearchParams({ testId, setId: school.year.setId })}`;
  const page = openPage({ url, path: `/api/queries/${path}` }, leader.cookie, { bytes: 0, asked: 0 });
  await page.opened;
  const answered: number[] = [];
  const shown: number[] = [];
  const refused: unknown[] = [];
  const submit = async (cookie: string, number: number): Promise<void> => {
    await pause(Math.random() * seconds * 1_000);
    const marks = questionIds.map((questionId, column) => ({ questionId, mark: (number + column) % 4 }));
    const sent = performance.now();
    try {
      const position = await asker(url, cookie).command('SubmitFeedback', { testId, marks });
      answered.push(performance.now() - sent);
      await page.until(BigInt(position));
      shown.push(performance.now() - sent);
    } catch (error) {
      refused.push(error);
    }
  };
  const { spent } = await spending(() => Promise.all(school.students.map(submit)));
  page.leave();
  const { counts } = await leader.query<Tracker>(path);
  const who = `${school.students.length} students submit within ${seconds} s`;
  if (refused.length > 0) console.error(`${who}: ${String(refused[0])}`);
  const missing = school.students.length - counts.student;
  return [
    plain(`${who}: not accepted, or not in the tracker`, Math.max(refused.length, missing), { is: '<=', than: 0 }, spent),
    plain(`${who}: 95 % answered within, ms`, quantile(answered, 0.95), { is: '<=', than: 300 }, spent),
    plain(`${who}: from sending until an open tracker holds it, ms, the slowest`, Math.max(...shown), { is: '<=', than: 2_000 }, spent),
  ];
};
