import { z } from 'zod';
import { invalidInput } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { messages } from '../../contract/limits.ts';
import { totalId } from '../ids.ts';
import { entering } from '../marks.ts';
import type { Tables } from '../tables.ts';
import { table } from '../tables.ts';

const STORED = 'All rows of a request are stored, or none.';

/** What teachers write of marks. */
export const markTables: Tables = {
  TestTotals: table({
    behind: ['EnterMarks'],
    models: ['results'],
    key: 'TestTotalsID',
    columns: z.strictObject({ TestID: id, StudentID: id, Total: z.int(messages.manualNotInteger).nullable() }),
    differs: `${STORED} A total that stands by the same account already is not stored again.`,
    add: (caller, rows) =>
      entering(
        caller,
        rows.map(({ place, key, values: { TestID, StudentID, Total } }) => {
          const own = totalId(TestID, StudentID);
          if (key !== null && key !== own)
            throw invalidInput(`data.${place}.keyval.TestTotalsID`, 'This is the id of the total of another student or assessment.');
          return { place, id: own, testId: TestID, studentId: StudentID, mark: Total };
        }),
      ),
  }),
};
