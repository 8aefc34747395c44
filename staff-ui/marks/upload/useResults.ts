import type { ResultsRow } from '#api/marks/upload/results-file.contract';
import type { MarksFile, UploadPreview } from '#api/marks/upload/uploads.contract';
import type { Structure } from '#api/school/school.contract';
import { useState } from 'react';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { useStructure } from '../../queries.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import { readFile } from './file/read-file.ts';
import type { UploadRequest } from './request.ts';
import { useDateSat } from './file/useDateSat.ts';
import { useReading } from './file/useReading.ts';
import { blanksIn, stillBlank, withZeros } from './preview-model.ts';
import { useCheck } from './useCheck.ts';
import { naturalOrder } from '#api/contract/order';

type Read = {
  readonly fileName: string;
  readonly rows: readonly ResultsRow[];
  /** As the file has them, where 0 was entered for their blanks. */
  readonly withBlanks?: { readonly rows: readonly ResultsRow[]; readonly blanks: number };
  readonly test: Structure['tests'][number];
  readonly group: Group;
};

/** The steps of a results upload: choose test, group and file, preview, commit. */
export const useResults = (subjectId: string, request: UploadRequest, open: boolean) => {
  const api = useApi();
  const { me } = useSession();
  const structure = useStructure();
  const check = useCheck({ open, noun: 'mark' });
  const [file, setFile] = useState<File>();
  const [testId, setTestId] = useState(request.testId);
  const [groupId, setGroupId] = useState(request.setId);
  const [read, setRead] = useState<Read>();
  const [back, setBack] = useState(false);
  const date = useDateSat();
  const { busy, failed, forget, refuse, during } = useReading();

  const tests = structure.data?.tests.filter(({ max }) => max !== null) ?? [];
  const groups = structure.data ? groupsOf(structure.data, me.role !== 'teacher') : [];
  const test = tests.find((one) => one.testId === testId) ?? (tests.length === 1 ? tests[0] : undefined);
  const group = groups.find(({ id }) => id === groupId) ?? (groups.length === 1 ? groups[0] : undefined);

  const startAgain = () => {
    setFile(undefined);
    setRead(undefined);
    forget();
    setBack(false);
    // The next file was sat on another day.
    if (check.uploaded) date.type('');
    check.show(undefined);
  };

  const change =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      forget();
      check.show(undefined);
    };

  const marksFile = ({ rows, test: { testId: id }, group: { setIds } }: Read): MarksFile => ({
    subjectId,
    testId: id,
    setIds: [...setIds],
    rows: rows.map(({ admissionNo, name, marks }) => ({ admissionNo, name, marks: [...marks] })),
    ...date.said,
  });

  const compare = (what: Read) => api.ask('preview-marks', marksFile(what));

  const upload = () =>
    during(async () => {
      if (!file || !test || !group) return;
      const parsed = await readFile('results', file);
      if (!parsed.ok) return refuse(parsed);
      const next = { fileName: file.name, rows: parsed.rows, test, group };
      check.show(await compare(next));
      setRead(next);
      setBack(false);
    });

  const compareAgain = (find: () => Promise<{ readonly next: Read; readonly preview: UploadPreview }>) =>
    during(async () => {
      const { next, preview } = await find();
      check.show(preview, check.ticked);
      setRead(next);
    });
  /** With 0 in the blanks of a preview, and what that would change; only in those that are blank by then. */
  const zerosIn = async (plain: Read, shown: UploadPreview): Promise<{ readonly next: Read; readonly preview: UploadPreview }> => {
    const asked = blanksIn(shown);
    const next = asked === 0 ? plain : { ...plain, rows: withZeros(plain.rows, shown), withBlanks: { rows: plain.rows, blanks: asked } };
    const preview = await compare(next);
    const left = stillBlank(shown, preview);
    return blanksIn(left) === asked ? { next, preview } : zerosIn(plain, left);
  };
  /** The zeros are part of the upload: stored with it, and undone with it. */
  const blanks = check.preview ? blanksIn(check.preview) : 0;
  const enterZeros = () => {
    const shown = check.preview;
    if (read && shown) void compareAgain(() => zerosIn(read, shown));
  };
  const leaveBlanks = () => {
    if (!read?.withBlanks) return;
    const { withBlanks, ...rest } = read;
    const next = { ...rest, rows: withBlanks.rows };
    void compareAgain(async () => ({ next, preview: await compare(next) }));
  };

  const commit = () => {
    if (!read) return;
    check.commit(
      read.fileName,
      ({ saw, decides, questionIds }, command) =>
        command('UploadMarks', { ...marksFile(read), fileName: read.fileName, saw, decides, questionIds }),
      () => compare(read),
    );
  };

  const step = check.uploaded ? 'Done' : check.preview && read && !back ? 'Check' : 'File';
  return {
    step,
    tests,
    groups,
    test,
    group,
    file,
    read,
    check,
    date: { ...date, type: change(date.type) },
    failed,
    busy,
    upload,
    commit,
    startAgain,
    blanks,
    enterZeros,
    leaveBlanks,
    goBack: () => setBack(true),
    chooseFile: change(setFile),
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
