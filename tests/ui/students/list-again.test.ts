import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportedWorkbook } from '../../../admin-ui/marks/export-file.ts';
import { studentsKind } from '../../../admin-ui/students/import/kind.ts';
import { csvText } from '../../../api/contract/csv/write.ts';
import { admissionNo, label, personName } from '../../../api/contract/fields.ts';
import { parseStudents, studentColumns } from '../../../api/students/students-file.contract.ts';
import { broughtOf } from '../../../ui/file/brought/brought.ts';
import { unanswered } from '../../../ui/file/brought/answers.ts';
import { workbookOf } from '../../../ui/file/brought/workbook.ts';
import { rounds } from '../../support/rounds.ts';

/** The list of students is what it was when it comes back, from either file, whatever they are called. */

const start = fc.constantFrom(
  '',
  '',
  '0',
  '00',
  "'",
  '’',
  "''",
  '=',
  '="00123"',
  '+',
  '-',
  '@',
  '\u2212',
  '\uff1d',
  '\u200b=',
  '\u00a0',
  ',',
  ';',
  '"',
  "'5",
  '#',
);
const text = (most: number) =>
  fc.tuple(start, fc.oneof(fc.string({ unit: 'grapheme', maxLength: most }), fc.nat().map(String))).map(([one, other]) => one + other);
const stored = (schema: typeof label, most: number) =>
  text(most).map((one) => {
    // A file with control characters is refused, nobody types what is no character, and what stands for one that is lost is asked about.
    const read = schema.safeParse(one.replaceAll(/[\p{Cc}\p{Cn}\ufffd]/gu, ''));
    return read.success ? read.data : 'Plain';
  });
const born = fc.option(fc.constantFrom('01/02/2009', '31/12/2010'), { nil: null });
const row = fc.tuple(stored(admissionNo, 12), stored(personName, 30), stored(label, 20), born);
const list = fc.uniqueArray(row, { minLength: 1, maxLength: 8, selector: ([id]) => id.normalize('NFC').trim().toLowerCase() });
const rowsOf = (rows: readonly (readonly [string, string, string, string | null])[]) =>
  rows.map(([id, name, set, date]) => ({ admissionNo: id, name, set, dateOfBirth: date?.split('/').toReversed().join('-') ?? null }));

test('a list of students that nobody has changed comes back as it was, as CSV', () => {
  fc.assert(
    fc.property(list, (rows) => {
      const read = parseStudents({
        name: 'data_download.csv',
        type: 'text/csv',
        bytes: Buffer.from(csvText(studentColumns, rows, { mark: true })),
      });
      expect(read.ok ? read.rows.map(({ line: _, ...student }) => student) : read).toEqual(rowsOf(rows));
    }),
    { numRuns: rounds(300) },
  );
});

test('and as an Excel file', async () => {
  await fc.assert(
    fc.asyncProperty(list, async (rows) => {
      const file = await exportedWorkbook({ title: 'All', columns: studentColumns, rows });
      const book = await workbookOf(new Uint8Array(await file.arrayBuffer()));
      const brought = broughtOf(book.ok ? (book.sheets[0]?.rows ?? []) : [], studentsKind, unanswered);
      expect(brought.parsed?.rows.map(({ line: _, ...student }) => student) ?? brought).toEqual(rowsOf(rows));
    }),
    { numRuns: rounds(40) },
  );
});
