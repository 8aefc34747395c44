import type { Actor } from '../../api/actor.ts';
import type { Builder } from './builder.ts';
import { there } from './builder.ts';
import type { Weekday } from './calendar.ts';
import type { Mathematics } from './mathematics.ts';
import type { MarksRow } from './papers.ts';
import { marksIn } from './papers.ts';
import { openStudent } from './people.ts';

type Sitting = {
  readonly weekday: Weekday;
  readonly time: `${number}:${number}`;
  readonly who: readonly string[];
  readonly breaksOff?: string;
};

/** When students entered their marks: after the lesson in which they got their papers back, in the evening, and the next morning. */
const sittings: readonly Sitting[] = [
  { weekday: 'Thu', time: '16:05', who: ['M0004', 'M0011', 'M0007'] },
  { weekday: 'Thu', time: '17:48', who: ['M0001', 'M0014'] },
  { weekday: 'Thu', time: '19:20', who: ['M0009', 'M0003', 'M0016', 'M0012'] },
  { weekday: 'Thu', time: '21:07', who: ['M0006'], breaksOff: 'M0008' },
  { weekday: 'Fri', time: '08:12', who: ['M0015', 'M0005', 'M0008'] },
  { weekday: 'Fri', time: '10:26', who: ['M0013', 'M0010'] },
];

/** Reads one mark too low, so that the totals differ. */
const MISCOUNTS = 'M0005';

/**
 * Half of 11X1 enter their own marks of the examination, whose totals they have from their teacher. `students`: those who already have an
 * account, by StudentID.
 */
export const submissions = async (builder: Builder, { papers }: Mathematics, students: ReadonlyMap<string, Actor>): Promise<void> => {
  const { calendar, done } = builder;
  const testId = there(papers.get('examination'), 'examination');
  const rows = new Map((await marksIn('mathexam/results_upload.csv')).map((row) => [row.admissionNo, row]));
  const rowOf = (admissionNo: string): MarksRow => there(rows.get(admissionNo), admissionNo);
  const admissionNos = sittings.flatMap(({ who }) => who).toSorted();
  const ids = await builder.studentIds(admissionNos);
  const questions = await builder.rows<{ id: string }>(
    `select question_id as id from questions where school_id = $1 and test_id = $2 and not hidden order by number`,
    [testId],
  );

  calendar.goTo(9, 'Thu', '15:40');
  const accounts = new Map(students);
  for (const admissionNo of admissionNos.filter((one) => !students.has(one))) {
    const person = { name: firstLast(rowOf(admissionNo).name), email: `${admissionNo.toLowerCase()}@demo.example` };
    const studentId = there(ids.get(admissionNo), admissionNo);
    accounts.set(admissionNo, await openStudent(builder, `student ${admissionNo}`, person, studentId));
  }
  const entered = async (name: 'SaveFeedback' | 'SubmitFeedback', admissionNo: string, count = questions.length): Promise<void> => {
    const marksRead = ownMarks(rowOf(admissionNo));
    const marks = questions.slice(0, count).map(({ id: questionId }, at) => ({ questionId, mark: marksRead[at] }));
    await done(there(accounts.get(admissionNo), admissionNo), `own marks ${admissionNo}`, name, { testId, marks });
  };
  for (const { weekday, time, who, breaksOff } of sittings) {
    calendar.goTo(9, weekday, time);
    if (breaksOff !== undefined) await entered('SaveFeedback', breaksOff, 6);
    for (const admissionNo of who) await entered('SubmitFeedback', admissionNo);
  }
};

/** 'Lee, Kayleigh' as the account has it. */
const firstLast = (name: string): string => name.split(', ').toReversed().join(' ');

const ownMarks = ({ admissionNo, marks }: MarksRow): number[] => {
  const numbers = marks.map((mark) => mark ?? 0);
  const overlooked = admissionNo === MISCOUNTS ? numbers.findIndex((mark) => mark > 0) : -1;
  return numbers.map((mark, at) => (at === overlooked ? mark - 1 : mark));
};
