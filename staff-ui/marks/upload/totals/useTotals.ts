import type { TotalsRow } from '#api/marks/upload/totals-file.contract';
import type { TotalsFile, UploadClasses } from '#api/marks/upload/uploads.contract';
import { useState } from 'react';
import { useApi } from '../../../../ui/api/ApiProvider.tsx';
import { useStructure } from '../../../queries.ts';
import { readFile } from '../file/read-file.ts';
import type { UploadRequest } from '../request.ts';
import { useDateSat } from '../file/useDateSat.ts';
import { useReading } from '../file/useReading.ts';
import { useCheck } from '../useCheck.ts';
import type { Choice } from './choice.ts';
import { firstChoice } from './choice.ts';

export type UploadStep = 'File' | 'Tests' | 'Check' | 'Done';
/** The file as it was read, with its students and classes as the school knows them. */
type Read = { readonly fileName: string; readonly rows: readonly TotalsRow[]; readonly tests: number; readonly found: UploadClasses };

/** The steps of a totals upload: choose the file, match its students, choose tests class by class, preview, commit. */
export const useTotals = (subjectId: string, request: UploadRequest, open: boolean) => {
  const api = useApi();
  const structure = useStructure();
  const check = useCheck({ open, noun: 'total' });
  const [step, setStep] = useState<UploadStep>('File');
  const [file, setFile] = useState<File>();
  const [read, setRead] = useState<Read>();
  const [choice, setChoice] = useState<Choice>({});
  const date = useDateSat();
  const { busy, failed, forget, refuse, during } = useReading();
  const tests = structure.data?.tests ?? [];

  const startAgain = () => {
    setStep('File');
    setFile(undefined);
    setRead(undefined);
    forget();
    // A file that replaces this one has the same day; the next one has another.
    if (check.uploaded) date.type('');
    check.show(undefined);
  };

  const chooseFile = (next: File | undefined) => {
    setFile(next);
    forget();
  };

  const upload = () =>
    during(async () => {
      if (!file) return;
      setRead(undefined);
      check.show(undefined);
      const parsed = await readFile('totals', file);
      if (!parsed.ok) return refuse(parsed);
      const found = await api.ask('upload-classes', {
        subjectId,
        students: parsed.rows.map(({ admissionNo, name }) => ({ admissionNo, name })),
      });
      setRead({ fileName: file.name, rows: parsed.rows, tests: parsed.tests, found });
      setChoice(firstChoice(found.classes, tests, request.testId));
      setStep('Tests');
    });

  const choose = (next: Choice) => {
    setChoice(next);
    forget();
    check.show(undefined);
  };

  const fileOf = (what: Read): TotalsFile => ({ ...totalsFile(subjectId, what, choice), ...date.said });
  const compare = (what: Read) => api.ask('preview-totals', fileOf(what));

  const confirm = () =>
    during(async () => {
      if (read) check.show(await compare(read));
    });

  const commit = () => {
    if (!read) return;
    check.commit(
      read.fileName,
      ({ saw, decides }, command) => command('UploadTotals', { ...fileOf(read), fileName: read.fileName, saw, decides }),
      () => compare(read),
    );
  };

  return {
    step: check.uploaded ? ('Done' as const) : step,
    setStep,
    file,
    chooseFile,
    date,
    upload,
    read,
    tests,
    choice,
    choose,
    confirm,
    commit,
    check,
    failed,
    busy,
    startAgain,
  };
};

/** The rows of the file with the tests that their columns stand for, as the command and its preview take them. */
const totalsFile = (subjectId: string, { rows, found }: Read, choice: Choice): TotalsFile => ({
  subjectId,
  classes: found.classes.map(({ setId }) => ({ setId, testIds: [...(choice[setId] ?? [])] })),
  rows: rows.map(({ admissionNo, name, totals }) => ({ admissionNo, name, totals: [...totals] })),
});

export type Totals = ReturnType<typeof useTotals>;
