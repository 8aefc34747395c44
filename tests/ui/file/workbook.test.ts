import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/universal';
import { sentences, workbookOf } from '../../../ui/file/brought/workbook.ts';

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

test('texts, numbers and dates of each sheet are read as texts, with the rows as Excel numbers them', async () => {
  const sheets = [
    {
      sheet: 'Marks',
      data: [
        ['Name', 'ID', 'Born', 'Q1'],
        [null],
        ["'t Hooft, Zoë", '00101', { value: new Date(Date.UTC(2009, 8, 1)), type: Date, format: 'dd/mm/yyyy' }, 1234567890123456],
      ],
    },
    { sheet: 'Nothing', data: [] },
    { sheet: 'Notes', data: [['a note']] },
  ];
  const file = await bytesOf(await writeExcelFile(sheets as never).toBlob());
  expect(await workbookOf(file)).toEqual({
    ok: true,
    sheets: [
      {
        name: 'Marks',
        rows: [
          { line: 1, cells: ['Name', 'ID', 'Born', 'Q1'] },
          { line: 3, cells: ["'t Hooft, Zoë", '00101', '2009-09-01', '1234567890123456'] },
        ],
      },
      { name: 'Notes', rows: [{ line: 1, cells: ['a note'] }] },
    ],
  });
});

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const ole = (text: string) => Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), utf16(text)]);
const text = Buffer.from('<xml/>');
test.each([
  ['protected by a password', ole('Root Entry EncryptedPackage'), sentences.locked],
  ['of the old format', ole('Root Entry Workbook'), sentences.old],
  ['with macros, under another name', zipSync({ 'xl/workbook.xml': text, 'xl/vbaProject.bin': text }), sentences.macros],
  [
    'that fills the memory when it is unpacked',
    zipSync({ 'xl/workbook.xml': text, 'xl/worksheets/sheet1.xml': new Uint8Array(101 * 1024 * 1024) }),
    sentences.large,
  ],
  ['that is another archive', zipSync({ 'content.xml': text }), sentences.broken],
  ['that is cut off', zipSync({ 'xl/workbook.xml': text }).subarray(0, 60), sentences.broken],
  ['whose parts are no workbook', zipSync({ 'xl/workbook.xml': text }), sentences.broken],
  ['that is none at all', text, sentences.broken],
])('a workbook %s is refused with a sentence', async (_, bytes, why) =>
  expect(await workbookOf(Uint8Array.from(bytes))).toEqual({ ok: false, why }),
);
