import type { ParsedResults } from '#api/marks/upload/results-file.contract';
import type { MarksFile, UploadPreview } from '#api/marks/upload/uploads.contract';
import type { Structure } from '#api/school/school.contract';
import { useState } from 'react';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { useStructure } from '../../queries.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import type { UploadRequest } from './request.ts';
import { useDateSat } from './DateSat.tsx';
import { useReading } from '../../../ui/file/useReading.ts';
import { blanksIn, stillBlank, withZeros } from './preview-model.ts';
import { useCheck } from './useCheck.ts';
import type { Read } from '../../../ui/file/useUploadSteps.ts';
import { useUploadSteps } from '../../../ui/file/useUploadSteps.ts';
import { naturalOrder } from '#api/contract/order';

type Rows = ParsedResults['rows'];
type Found = { readonly preview: UploadPreview; readonly test: Structure['tests'][number]; readonly group: Group };
type ResultsRead = Read<ParsedResults, Found>;
/** The rows of a file with 0 in their blanks. */
type Zeros = { readonly of: ResultsRead; readonly rows: Rows; readonly blanks: number };

/** The steps of a results upload: choose test, group and file, preview, commit. */
export const useResults = (subjectId: string, request: UploadRequest, open: boolean) => {
  const api = useApi();
  const { me } = useSession();
  const structure = useStructure();
  const check = useCheck({ open, noun: 'mark' });
  const [testId, setTestId] = useState(request.testId);
  const [groupId, setGroupId] = useState(request.setId);
  const [filled, setFilled] = useState<Zeros>();
  const [back, setBack] = useState(false);
  const date = useDateSat();
  const comparing = useReading();

  const tests = structure.data?.tests.filter(({ max }) => max !== null) ?? [];
  const groups = structure.data ? groupsOf(structure.data, me.role !== 'teacher') : [];
  const test = tests.find((one) => one.testId === testId) ?? (tests.length === 1 ? tests[0] : undefined);
  const group = groups.find(({ id }) => id === groupId) ?? (groups.length === 1 ? groups[0] : undefined);

  const marksFile = (rows: Rows, ofTest: Found['test'], { setIds }: Group): MarksFile => ({
    subjectId,
    testId: ofTest.testId,
    setIds: [...setIds],
    rows: rows.map(({ admissionNo, name, marks, away }) => ({ admissionNo, name, marks: [...marks], ...(away ? { away } : {}) })),
    ...date.sent,
  });

  const steps = useUploadSteps<ParsedResults, Found>({
    kind: async () => (await import('./kinds.ts')).resultsKind(test ?? { questions: [] }),
    name: 'results',
    subjectId,
    setIds: group?.setIds,
    find: async ({ rows }) => {
      if (!test || !group) throw new Error('no assessment or class is chosen');
      return { preview: await api.ask('preview-marks', marksFile(rows, test, group)), test, group };
    },
    unmatchedOf: ({ preview: { unmatched } }) => unmatched,
    onRead: ({ found }) => {
      setBack(false);
      check.show(found.preview);
    },
  });
  const { read } = steps;
  const zeros = filled?.of === read ? filled : undefined;

  const change =
    <Value>(set: (value: Value) => void, isOfFile = false) =>
    (value: Value) => {
      set(value);
      comparing.forget();
      check.show(undefined);
      if (!isOfFile) steps.forget();
    };

  const compare = ({ parsed, found }: ResultsRead, rows: Rows = parsed.rows) =>
    api.ask('preview-marks', marksFile(rows, found.test, found.group));

  /** With 0 in the blanks of a preview, and what that would change; only in those that are blank by then. */
  const zerosIn = async (
    of: ResultsRead,
    before: UploadPreview,
  ): Promise<{ readonly next: Zeros | undefined; readonly preview: UploadPreview }> => {
    const blanks = blanksIn(before);
    const next = blanks === 0 ? undefined : { of, rows: withZeros(of.parsed.rows, before), blanks };
    const preview = await compare(of, next?.rows);
    const left = stillBlank(before, preview);
    return blanksIn(left) === blanks ? { next, preview } : zerosIn(of, left);
  };
  /** The zeros are part of the upload: stored with it, and undone with it. */
  const enterZeros = () =>
    comparing.during(async () => {
      if (!read || !check.preview) return;
      const { next, preview } = await zerosIn(read, check.preview);
      check.show(preview, check.ticked);
      setFilled(next);
    });
  const leaveBlanks = () =>
    comparing.during(async () => {
      if (!read) return;
      check.show(await compare(read), check.ticked);
      setFilled(undefined);
    });

  const commit = () => {
    if (!read) return;
    const { fileName, parsed, found } = read;
    const rows = zeros?.rows ?? parsed.rows;
    check.commit(
      fileName,
      ({ saw, decides, questionIds }, command) =>
        command('UploadMarks', { ...marksFile(rows, found.test, found.group), fileName, saw, decides, questionIds }),
      () => compare(read, rows),
    );
  };

  const step = check.uploaded ? 'Done' : check.preview && read && !back ? 'Check' : 'File';
  return {
    ...steps,
    step,
    tests,
    groups,
    test,
    group,
    zeros,
    check,
    date: { ...date, type: change(date.type) },
    failed: comparing.failed ?? steps.failed,
    busy: comparing.busy || steps.busy,
    commit,
    startAgain: () => {
      comparing.forget();
      setBack(false);
      // The next file was sat on another day.
      if (check.uploaded) date.type('');
      check.show(undefined);
      steps.chooseFile(undefined);
    },
    blanks: check.preview ? blanksIn(check.preview) : 0,
    enterZeros,
    leaveBlanks,
    goBack: () => setBack(true),
    chooseFile: change(steps.chooseFile, true),
    chooseTest: change(setTestId),
    chooseGroup: change(setGroupId),
  } as const;
};

export type Results = ReturnType<typeof useResults>;

/** The group a results file is for: a class, or all classes of a year group. */
export type Group = { readonly id: string; readonly name: string; readonly year: number; readonly setIds: readonly string[] };

/** Whole year groups are for leaders and admins; classes are those the user may write to. */
export const groupsOf = ({ yearGroups }: Structure, wholeYears: boolean): readonly Group[] =>
  yearGroups.flatMap(({ yearGroupId, year, sets }) => {
    const mine = sets.filter(({ mayWrite }) => mayWrite).toSorted((a, b) => naturalOrder(a.name, b.name));
    const all =
      wholeYears && mine.length > 1
        ? [{ id: yearGroupId, name: `All classes of year ${year}`, year, setIds: mine.map(({ setId }) => setId) }]
        : [];
    return [...all, ...mine.map(({ setId, name }) => ({ id: setId, name, year, setIds: [setId] }))];
  });
