import type { StudentRow } from '#api/students/students-file.contract';
import type { ImportPreview } from '#api/students/students.contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../../ui/api/failure.ts';
import { undoAct } from '../../../ui/sending/undo-act.ts';
import { useCommand } from '../../../ui/sending/useSend.ts';
import type { Failed } from '../../../ui/file/UploadFailure.tsx';
import type { RefusedRow } from '../../../ui/file/brought/brought.ts';
import { useBrought } from '../../../ui/file/brought/useBrought.ts';
import { leaving, useUnsaved } from '../../../ui/session/unsaved.ts';
import { counted } from '../../format.ts';
import type { Decisions, ImportInput } from './import-input.ts';
import { changedBy, importInput, isDecided, meaning, summaryOf, undecided } from './import-input.ts';

type Commit = { readonly input: ImportInput; readonly seen: ImportPreview; readonly leftOut: readonly RefusedRow[] };
type Done = {
  readonly summary: string;
  readonly changed: string;
  readonly renamed: readonly { readonly was: string; readonly is: string }[];
  readonly leftOut: readonly RefusedRow[];
};

/** The steps of one import: choose the file, read, preview, decide, commit. */
export const useImport = (subjectId: string) => {
  const api = useApi();
  const client = useQueryClient();
  const brought = useBrought(async () => (await import('./kind.ts')).studentsKind, `${subjectId}.students`);
  const { file, view } = brought;
  const rows = view.brought?.parsed?.rows;
  const leftOut = (rows && view.brought?.rows) ?? NOBODY;
  const [decisions, setDecisions] = useState<Decisions>(undecided);
  const [done, setDone] = useState<Done>();
  // Once a preview has shown which sets a file means, it means those.
  const meant = useRef<ImportPreview['sets']>([]);
  // A file that was read, and not committed, is work.
  useUnsaved(rows !== undefined);

  const input = useMemo(() => file && rows && importInput(subjectId, file.name, rows, decisions), [subjectId, file, rows, decisions]);
  const preview = useQuery({
    queryKey: ['preview-students', input],
    queryFn: async ({ signal }) => {
      const answer = await api.ask('preview-students', meaning(input!, meant.current), { signal });
      const chosen = new Set(input?.sets?.map(({ name }) => name));
      const shown = answer.sets.filter(({ name, setId }) => setId !== null && !chosen.has(name));
      meant.current = [...meant.current.filter((one) => !shown.some(({ name }) => name === one.name)), ...shown];
      return answer;
    },
    enabled: input !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });

  const {
    send,
    pending,
    error: refusal,
    forget,
  } = useCommand('ImportStudents', {
    input: ({ input: sent, seen }: Commit) => ({ ...meaning(sent, seen.sets), othersIn: [...seen.othersIn], seen: seen.seen }),
    work: ({ seen }) => `Storing ${counted(seen.rows.length, 'student')}`,
    notice: () => 'Data Uploaded Successfully',
    undo:
      ({ commandId }) =>
      async (command) => {
        setDone(undefined);
        const undone = await undoAct(command, subjectId, commandId);
        if (undone?.already) return 'The import was undone already.';
        return undone && [`The import was undone: ${counted(undone.students, 'student')} put back.`, ...undone.stays].join(' ');
      },
    onDone: ({ renamed }, { seen, leftOut }) => {
      clear();
      setDone({ summary: summaryOf(seen), changed: changedBy(seen), renamed, leftOut });
    },
    onFailed: (failure) => {
      if (!isRefused(failure)) return undefined;
      // Somebody else has made a set or its year group meanwhile: what is still to be made is asked again.
      if (!isRefused(failure, 'precondition-failed')) setDecisions((now) => ({ ...now, make: [] }));
      return client.invalidateQueries({ queryKey: ['preview-students'] });
    },
    showsError: true,
  });
  const error: unknown = refusal ?? (rows && preview.error) ?? undefined;

  const clear = () => {
    brought.choose(undefined);
    forget();
    meant.current = [];
    setDecisions(undecided);
  };

  const dropping = (drop: () => void) => (isDecided(decisions) ? leaving('page', drop) : drop());
  const choose = (next: File) =>
    dropping(() => {
      clear();
      setDone(undefined);
      brought.choose(next);
      void brought.read(next);
    });

  return {
    file,
    view,
    leftOut,
    rows: rows ?? NO_ROWS,
    choose,
    clear: () => dropping(clear),
    decisions,
    decide: (change: Partial<Decisions>) => setDecisions((now) => ({ ...now, ...change })),
    preview: rows ? preview.data : undefined,
    /** The preview does not reflect the latest decisions yet. */
    looking: rows !== undefined && (preview.isFetching || preview.isPlaceholderData),
    failed: error === undefined ? undefined : ({ of: 'server', error } satisfies Failed),
    commit: (seen: ImportPreview) => {
      if (input) void send({ input, seen, leftOut });
    },
    committing: pending,
    done,
  };
};

const NO_ROWS: readonly StudentRow[] = [];
const NOBODY: readonly RefusedRow[] = [];

export type Import = ReturnType<typeof useImport>;
