import type { Unmatched } from '#api/marks/upload/uploads.contract';
import type { MatchedStudents } from '#api/students/students.contract';
import { useState } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { lineAsId } from './brought/answers.ts';
import type { Kind, RefusedRow } from './brought/brought.ts';
import { useBrought } from './brought/useBrought.ts';
import { useReading } from './useReading.ts';

type Row = { readonly line: number; readonly admissionNo: string; readonly name: string };

/** A row whose StudentID is nobody's, and who may be meant. */
export type WhoQuestion = MatchedStudents['rows'][number] & Pick<Unmatched, 'admissionNo' | 'name'>;
/** By the row's own StudentID: the StudentID of whom it means; '': nobody. */
type Meant = Readonly<Record<string, string>>;
type Who = {
  readonly questions: readonly WhoQuestion[];
  readonly meant: Meant;
  /** the answers about the file that they are of */ readonly of: unknown;
};

type Options<Parsed extends { readonly rows: readonly Row[] }, Found> = {
  readonly kind: () => Promise<Kind<Parsed>>;
  /** 'totals': columns are remembered for each. */
  readonly name: string;
  readonly subjectId: string;
  /** Only students of these sets may be meant. */
  readonly setIds?: readonly string[] | undefined;
  /** Asks the server about the rows: what would change, and of whom nothing is known. */
  readonly find: (parsed: Parsed) => Promise<Found>;
  readonly unmatchedOf: (found: Found) => readonly Unmatched[];
  /** Nothing is left open any more. */
  readonly onRead?: (read: Read<Parsed, Found>) => void;
};

/** What was read of a file, and what the server found about it. `leftOut`: rows that its author leaves out. */
export type Read<Parsed, Found> = {
  readonly fileName: string;
  readonly parsed: Parsed;
  readonly found: Found;
  readonly leftOut: readonly RefusedRow[];
};

/** From a file to what the server says about it, the same for every kind: open it, answer what it leaves open, and ask whom its rows mean. */
export const useUploadSteps = <Parsed extends { readonly rows: readonly Row[] }, Found>({
  kind,
  name,
  subjectId,
  setIds,
  find,
  unmatchedOf,
  onRead,
}: Options<Parsed, Found>) => {
  const api = useApi();
  const brought = useBrought(kind, `${subjectId}.${name}`);
  const { busy, failed, forget, during } = useReading();
  const [who, setWho] = useState<Who>();
  const [read, setRead] = useState<Read<Parsed, Found>>();
  const { answers } = brought.view;
  const openQuestions = who?.of === answers ? who : undefined;

  const startAgain = () => {
    setWho(undefined);
    setRead(undefined);
    forget();
  };

  const questionsAbout = async ({ rows }: Parsed, unmatched: readonly Unmatched[]): Promise<readonly WhoQuestion[]> => {
    const unknown = unmatched.filter(({ offRoll }) => !offRoll);
    if (unknown.length === 0) return [];
    const withoutId = new Set(rows.filter(({ line, admissionNo }) => admissionNo === lineAsId(line)).map(({ admissionNo }) => admissionNo));
    const { rows: matched } = await api.ask('match-students', {
      subjectId,
      ...(setIds ? { setIds: [...setIds] } : {}),
      rows: unknown.map((row) => ({ admissionNo: withoutId.has(row.admissionNo) ? '' : row.admissionNo, name: row.name })),
    });
    return matched.flatMap((match) => {
      const row = unknown[match.row];
      return row ? [{ ...match, admissionNo: row.admissionNo, name: row.name }] : [];
    });
  };

  const done = (next: Read<Parsed, Found>) => {
    setRead(next);
    onRead?.(next);
  };

  /** Goes on as far as nothing is left open. */
  const upload = () =>
    during(async () => {
      const { file } = brought;
      if (!file) return;
      setRead(undefined);
      const parsed = await brought.read();
      if (!parsed) return;
      const fileName = file.name;
      const leftOut = answers.leavesOut ? (brought.view.brought?.rows ?? []) : [];
      const meant = openQuestions ? withIds(parsed, openQuestions.meant) : parsed;
      const found = await find(meant);
      const questions = openQuestions ? [] : await questionsAbout(parsed, unmatchedOf(found));
      if (questions.length === 0) {
        done({ fileName, parsed: meant, found, leftOut });
        return;
      }
      const guessed = Object.fromEntries(questions.map((question) => [question.admissionNo, guessOf(question)]));
      const certain = withIds(parsed, guessed);
      // A name that fits one student is as good as a StudentID that the file does not hold.
      if (questions.every(({ kind: match, damage }) => match === 'certain' && damage === undefined))
        done({ fileName, parsed: certain, found: await find(certain), leftOut });
      else setWho({ questions, meant: guessed, of: answers });
    });

  return {
    file: brought.file,
    chooseFile: (next: File | undefined) => {
      brought.choose(next);
      startAgain();
    },
    /** Nothing is known any more of what the file would change. */
    forget: () => {
      brought.forget();
      startAgain();
    },
    view: brought.view,
    who: openQuestions && {
      questions: openQuestions.questions,
      meant: openQuestions.meant,
      choose: (admissionNo: string, student: string) =>
        setWho({ ...openQuestions, meant: { ...openQuestions.meant, [admissionNo]: student } }),
    },
    upload,
    read,
    busy,
    failed,
  };
};

/** Taken by default where the StudentID was only written otherwise; whoever is known by half is chosen by the author. '': nobody. */
const guessOf = ({ kind, damage, differs, students: [student] }: WhoQuestion): string => {
  const isTaken = kind === 'certain' || (kind === 'likely' && damage !== undefined && differs === 'id');
  return isTaken ? (student?.admissionNo ?? '') : '';
};

const withIds = <Parsed extends { readonly rows: readonly Row[] }>(parsed: Parsed, meant: Meant): Parsed => ({
  ...parsed,
  rows: parsed.rows.map((row) => ({ ...row, admissionNo: meant[row.admissionNo] || row.admissionNo })),
});
