import type { ParsedTotals } from '#api/marks/upload/totals-file.contract';
import type { TotalsFile, UploadClasses } from '#api/marks/upload/uploads.contract';
import { useState } from 'react';
import { useApi } from '../../../../ui/api/ApiProvider.tsx';
import type { BroughtView } from '../../../../ui/file/brought/useBrought.ts';
import { useStructure } from '../../../queries.ts';
import { useDateSat } from '../DateSat.tsx';
import { useReading } from '../../../../ui/file/useReading.ts';
import type { UploadRequest } from '../request.ts';
import { isNameOfTest } from '../test-names.ts';
import { useCheck } from '../useCheck.ts';
import type { Read } from '../../../../ui/file/useUploadSteps.ts';
import { useUploadSteps } from '../../../../ui/file/useUploadSteps.ts';
import type { Choice, Test } from './choice.ts';
import { firstChoice } from './choice.ts';

export type UploadStep = 'File' | 'Tests' | 'Check' | 'Done';
/** The file as it was read, with its students and classes as the school knows them. */
type TotalsRead = Read<ParsedTotals, UploadClasses>;
type Chosen = { readonly of: TotalsRead; readonly choice: Choice };

/** The steps of a totals upload: choose the file, match its students, choose tests class by class, preview, commit. */
export const useTotals = (subjectId: string, request: UploadRequest, open: boolean) => {
  const api = useApi();
  const tests = useStructure().data?.tests ?? [];
  const check = useCheck({ open, noun: 'total' });
  const [isLooking, setLooking] = useState(false);
  const [chosen, setChosen] = useState<Chosen>();
  const date = useDateSat();
  const comparing = useReading();
  const steps = useUploadSteps<ParsedTotals, UploadClasses>({
    kind: async () => (await import('../kinds.ts')).totalsKind(tests),
    name: 'totals',
    subjectId,
    find: ({ rows }) => api.ask('upload-classes', { subjectId, students: rows.map(({ admissionNo, name }) => ({ admissionNo, name })) }),
    unmatchedOf: ({ unmatched }) => unmatched,
  });
  const { read } = steps;
  const choice = !read
    ? {}
    : chosen?.of === read
      ? chosen.choice
      : firstChoice(read.found.classes, tests, testsNamed(steps.view, tests, request));

  const forget = () => {
    comparing.forget();
    setLooking(false);
    check.show(undefined);
  };
  const chooseFile = (next: File | undefined) => {
    forget();
    steps.chooseFile(next);
  };

  const fileOf = ({ parsed: { rows }, found }: TotalsRead): TotalsFile => ({
    subjectId,
    classes: found.classes.map(({ setId }) => ({ setId, testIds: [...(choice[setId] ?? [])] })),
    rows: rows.map(({ admissionNo, name, totals, away }) => ({
      admissionNo,
      name,
      totals: totals.map((total, test) => away?.get(test) ?? total),
    })),
    ...date.sent,
  });
  const compare = (what: TotalsRead) => api.ask('preview-totals', fileOf(what));

  const step: UploadStep = check.uploaded ? 'Done' : !read ? 'File' : isLooking && check.preview ? 'Check' : 'Tests';
  return {
    ...steps,
    step,
    look: () => setLooking(true),
    goBack: () => setLooking(false),
    chooseFile,
    date,
    tests,
    choice,
    choose: (next: Choice) => {
      if (read) setChosen({ of: read, choice: next });
      forget();
    },
    upload: () => {
      forget();
      return steps.upload();
    },
    confirm: () =>
      comparing.during(async () => {
        if (read) check.show(await compare(read));
      }),
    commit: () => {
      if (!read) return;
      const { fileName } = read;
      check.commit(
        fileName,
        ({ saw, decides }, command) => command('UploadTotals', { ...fileOf(read), fileName, saw, decides }),
        () => compare(read),
      );
    },
    check,
    failed: comparing.failed ?? steps.failed,
    busy: comparing.busy || steps.busy,
    startAgain: () => {
      // A file that replaces this one has the same day; the next one has another.
      if (check.uploaded) date.type('');
      chooseFile(undefined);
    },
  };
};

/** The assessments that the dialog was opened for, or that the headings of the file name, in the order of its columns. */
const testsNamed = ({ brought, rows }: BroughtView, tests: readonly Test[], { testId }: UploadRequest): readonly string[] => {
  if (testId !== undefined) return [testId];
  const { roles = [], header } = brought?.layout ?? {};
  const headings = header === undefined ? [] : (rows[header]?.cells ?? []);
  const named = roles.flatMap((role, column) =>
    role.startsWith('v') ? [{ role, test: tests.find((test) => isNameOfTest(headings[column] ?? '', test)) }] : [],
  );
  const inOrder = named.toSorted((one, other) => Number(one.role.slice(1)) - Number(other.role.slice(1)));
  return inOrder.every(({ test }) => test !== undefined) ? inOrder.flatMap(({ test }) => test?.testId ?? []) : [];
};

export type Totals = ReturnType<typeof useTotals>;
