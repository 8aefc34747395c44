/** What a preview says about the students of a file when it looks wrong, though nothing in it is refused. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';

/** How many of those whom a row may mean an answer shows. */
export const CASES_SHOWN = 5;
/** How many cases of each kind an answer has; it counts all of them. */
export const MOST_CASES = 200;

/** A kind of doubt, absent where there is no case of it. */
export const casesOf = <Case extends z.ZodType>(one: Case, what: string) =>
  z
    .object({ count: z.int(), first: z.array(one).max(MOST_CASES) })
    .exactOptional()
    .describe(what);

export const damage = z
  .enum(['exponent', 'zeros', 'decimal', 'date', 'letter', 'quotes', 'invisible'])
  .describe(
    'exponent: a spreadsheet wrote 1.23457E+12 for a long number. zeros: it took 00123 for a number, and lost the zeros. decimal: it wrote 101.0. date: it took 3-4 for the 3rd of April. letter: an O stands for a 0, or the other way round. quotes: there are quotation marks around it, as in ="00123". invisible: the ID holds characters that nobody sees, such as a no-break space.',
  );

export const studentDoubts = {
  names: casesOf(
    z.object({ admissionNo: z.string(), inFile: z.string(), ours: z.string() }),
    'Rows whose name is not that of the student with this StudentID, whatever the case, accents, order and punctuation.',
  ),
  garbled: casesOf(z.object({ admissionNo: z.string(), inFile: z.string() }), 'Rows whose name was garbled by a wrong encoding.'),
  ids: casesOf(
    z.object({
      inFile: z.string().describe('Invisible characters stand as [U+200C].'),
      name: z.string(),
      damage,
      means: z.object({ admissionNo: z.string(), name: z.string() }).nullable().describe('The student, where exactly one fits.'),
    }),
    'Rows whose StudentID was damaged, and so is nobody’s.',
  ),
};
const ofStudents = z.object(studentDoubts);
export type StudentDoubts = Answer<typeof ofStudents>;
/** Of a preview. */
export const doubts = ofStudents
  .exactOptional()
  .describe('What looks wrong about the file, though nothing of it is refused; absent: nothing does.');
export type IdDamage = z.infer<typeof damage>;
