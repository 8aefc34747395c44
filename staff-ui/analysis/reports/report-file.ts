import { withStudentId } from '#api/contract/names';
import type { SheetStudent } from '#api/marks/sheet.contract';
import type { ReportWords } from '#api/school/report-words.contract';
import type { Zippable } from 'fflate';
import { FEEDBACK_FILE, feedbackSheetFile } from '../../../ui/reports/feedback-sheet.ts';
import type { FontReader } from '../../../ui/reports/fonts.ts';
import type { Paper } from '../../../ui/reports/paper.ts';
import type { Making } from '../../../ui/reports/parts.ts';
import { eachInTurn } from '../../../ui/reports/parts.ts';
import { readFont } from '../../../ui/reports/read-font.ts';
import { STUDENT_FILE, studentReportFile } from '../../../ui/reports/student-report.ts';
import type { Sources } from './student-parts.ts';
import { feedbackOf, partOf } from './student-parts.ts';

export type ReportKind = 'student' | 'feedback';
/** One file, one of two sheets to a page, or a file for each in an archive. */
export type ReportForm = 'one' | 'two' | 'zip';
export type ReportRequest = {
  readonly kind: ReportKind;
  /** of the class */
  readonly name: string;
  readonly sources: Sources;
  readonly students: readonly SheetStudent[];
  /** For one student and not for the class. */
  readonly isAlone: boolean;
  readonly as: ReportForm;
  readonly school: string;
  readonly words: ReportWords | undefined;
  readonly paper: Paper;
};

/** The reports of these students in one file, or a file for each in a zip. */
export const reportFile = async ({ kind, name, sources, students, isAlone, as, ...of }: ReportRequest, making: Making) => {
  const usual = kind === 'student' ? STUDENT_FILE : FEEDBACK_FILE;
  const nameFor = (student: SheetStudent): string => safeName(usual.replace('.', () => ` ${withStudentId(student)}.`));
  const options = { ...of, created: new Date(), font: once(readFont), ...(as === 'two' && { perPage: 2 as const }) };
  const made = async (some: readonly SheetStudent[], how: Making) =>
    kind === 'student'
      ? studentReportFile({ ...options, parts: some.map((student) => partOf(sources, student)) }, how)
      : feedbackSheetFile({ ...options, parts: some.map((student) => feedbackOf(sources, student)) }, how);
  if (as !== 'zip') {
    const { file, unprintable } = await made(students, making);
    const [student] = students;
    const fileName = isAlone && student ? nameFor(student) : usual.replace('.', ` ${name}.`);
    return { file, unprintable, notes: [], fileName };
  }
  const files: { name: string; file: ArrayBuffer }[] = [];
  const unprintable = new Set<string>();
  await eachInTurn(
    students,
    async (student) => {
      const one = await made([student], { signal: making.signal });
      files.push({ name: nameFor(student), file: one.file });
      for (const letter of one.unprintable) unprintable.add(letter);
    },
    making,
  );
  return { file: await zipOf(files), unprintable: [...unprintable], notes: [], fileName: usual.replace('.pdf', ` ${name}.zip`) };
};

/** Reads the font when it is first needed, and keeps it for the following files. */
const once = (read: FontReader): FontReader => {
  let font: Promise<string> | undefined;
  return () => (font ??= read());
};

/** The files in one archive. A number is added to a name that is taken. PDFs are stored as they are: they are compressed already. */
const zipOf = async (files: readonly { readonly name: string; readonly file: ArrayBuffer }[]): Promise<ArrayBuffer> => {
  const { zipSync } = await import('fflate');
  const contents: Zippable = {};
  for (const { name, file } of files) {
    let free = name;
    for (let number = 2; Object.hasOwn(contents, free); number++) free = name.replace(/(?=\.\w+$)/u, ` ${number}`);
    contents[free] = [new Uint8Array(file), { level: 0 }];
  }
  return zipSync(contents).slice().buffer;
};

/** Without what names of files may not hold. */
const safeName = (name: string): string =>
  name
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
