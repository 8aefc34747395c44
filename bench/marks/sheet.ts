/** The time of the server for a sheet, read anew. */
import { randomUUID } from 'node:crypto';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import { type Figure, median, plain } from '../figures.ts';
import { spending } from '../processor-time.ts';
import { QUESTIONS } from '../school.ts';
import type { Asker } from './http.ts';
import type { MarksSchool } from './school.ts';

/**
 * From request to answer, over HTTP. Before each one a mark is changed, and the read models have it: else the answer would be the one that
 * was read before.
 */
export const sheetFigures = async (leader: Asker, { subjectId, filled, ...school }: MarksSchool, times: number): Promise<Figure[]> => {
  const { testId, questionIds } = filled;
  const [questionId] = questionIds;
  const entryId = randomUUID();
  let seq = 0;
  const figures: Figure[] = [];
  for (const [{ setId, studentIds }, than] of [
    [school.class, 30],
    [school.year, 150],
  ] as const) {
    const [studentId] = studentIds;
    const path = `sheet?${new URLSearchParams({ setId, testId })}`;
    const took: number[] = [];
    const { spent } = await spending(async () => {
      for (let time = 0; time < times + WARM; time++) {
        seq += 1;
        const is = 1 + (seq % 3);
        const cell = { studentId, testId, questionId, is };
        const position = await leader.command('EnterMarks', { entryId, subjectId, seq, cells: [cell] });
        await leader.query(`cell?${new URLSearchParams({ testId, studentId: studentId ?? '', questionId: questionId ?? '' })}`, position);
        const asked = performance.now();
        const { students } = await leader.query<Sheet>(path);
        if (time >= WARM) took.push(performance.now() - asked);
        if (students.find((one) => one.studentId === studentId)?.cells[0]?.value !== is)
          throw new Error('The sheet does not show the mark that was changed.');
      }
    });
    const what = `sheet of ${studentIds.length} x ${QUESTIONS}, read anew: ms from request to answer`;
    figures.push(plain(what, median(took), { is: '<=', than }, spent));
  }
  return figures;
};

/** Just-in-time compilation. */
const WARM = 5;
