import type { CsvRefusal } from '#api/contract/csv/file';
import type { CsvLine } from '#api/contract/csv/table';
import type { Encoding } from '#api/contract/csv/text';
import { useMemo, useState } from 'react';
import type { Answers } from './answers.ts';
import { unanswered } from './answers.ts';
import type { Brought, Kind } from './brought.ts';
import type { Role } from '../layout/target.ts';
import type { Opened } from './open-bytes.ts';
import type * as Reading from './reading.ts';

type Source<Parsed extends object> = {
  readonly opened: Opened;
  readonly kind: Kind<Parsed>;
  readonly reading: typeof Reading;
};

/**
 * A file that is brought: opened, and read by the template or by what its author answers about it.
 *
 * `kind`: loaded with all that reads files, once one is opened. `of`: a subject and a kind of file, for which columns are remembered.
 */
export const useBrought = <Parsed extends object>(kind: () => Promise<Kind<Parsed>>, of: string) => {
  const [file, setFile] = useState<File>();
  const [source, setSource] = useState<Source<Parsed>>();
  const [answers, setAnswers] = useState<Answers>(unanswered);
  const [unread, setUnread] = useState<CsvRefusal>();

  const forget = () => {
    setSource(undefined);
    setAnswers(unanswered);
    setUnread(undefined);
  };

  const open = async (chosen: File, opening: { readonly encoding?: Encoding; readonly sheet?: string } = {}) => {
    const [reading, asKind] = await Promise.all([import('./reading.ts'), kind()]);
    const opened = await reading.openFile(chosen, asKind.template.columns, opening);
    if (!opened.ok) {
      setSource(undefined);
      setUnread(opened);
      return undefined;
    }
    setUnread(undefined);
    const next = { opened, kind: asKind, reading };
    setSource(next);
    return next;
  };

  const brought = useMemo(
    () => (source && source.opened.rows.length > 0 ? broughtIn(source, answers, of) : undefined),
    [source, answers, of],
  );
  const withAnswer = (change: Partial<Answers>): Answers => ({ ...answers, ...change });

  return {
    file,
    choose: (next: File | undefined) => {
      setFile(next);
      forget();
    },
    /** What was read of the file may be another thing now. */
    forget,
    /** Opens the file unless that is done, and reads it. undefined: it is refused, or something about it has to be looked at or answered. */
    read: async (chosen = file): Promise<Parsed | undefined> => {
      const now = (chosen === file && source) || (chosen && (await open(chosen)));
      // By which encoding it was read is seen before anything is done with it.
      if (now !== source && now?.opened.encoding) return undefined;
      return now && now.opened.rows.length > 0 ? broughtIn(now, answers, of).parsed : undefined;
    },
    view: {
      opened: source?.opened,
      rows: source?.opened.rows ?? NO_ROWS,
      target: source?.kind.target,
      brought,
      answers,
      refusal: unread ?? brought?.refusal,
      of,
      // New answers each time: what was asked about the rows was about others.
      chooseEncoding: (encoding: Encoding) => file && void open(file, { encoding }).then(() => setAnswers({ ...answers })),
      chooseSheet: (sheet: string) => file && void open(file, { sheet }).then(() => setAnswers({ ...unanswered })),
      answer: (change: Partial<Answers>) => setAnswers(withAnswer(change)),
      chooseRole: (column: number, role: Role) => {
        if (!source || !brought?.layout) return;
        setAnswers(
          withAnswer({
            layout: source.reading.withRole(cellsOf(source.opened.rows), brought.layout, column, role, source.kind.target),
            isMapped: false,
          }),
        );
      },
      /** Reads the file by the columns that are shown, now and the next time. */
      confirmColumns: () => {
        if (!source || !brought?.layout) return;
        source.reading.rememberColumns(of, cellsOf(source.opened.rows), brought.layout);
        setAnswers(withAnswer({ layout: brought.layout, isMapped: true }));
      },
    },
  };
};

export type BroughtView = ReturnType<typeof useBrought>['view'];

const NO_ROWS: readonly CsvLine[] = [];

const cellsOf = (rows: readonly CsvLine[]) => rows.map(({ cells }) => cells);

const broughtIn = <Parsed extends object>({ opened, kind, reading }: Source<Parsed>, answers: Answers, of: string): Brought<Parsed> => {
  const read = reading.broughtOf(opened.rows, kind, answers);
  if (!read.layout || answers.layout) return read;
  const layout = reading.asRemembered(of, cellsOf(opened.rows), read.layout, kind.target);
  return layout === read.layout ? read : reading.broughtOf(opened.rows, kind, { ...answers, layout });
};
