import type { StudentRow } from '#api/students/students-file.contract';
import type { ImportPreview } from '#api/students/students.contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../../ui/api/failure.ts';
import { useCommand } from '../../../ui/sending/useSend.ts';
import type { Failed } from '../../../ui/file/UploadFailure.tsx';
import { useUnsaved } from '../../../ui/session/unsaved.ts';
import { counted } from '../../format.ts';
import { staysOf, undoAll } from '../undone.ts';
import type { Decisions, ImportInput } from './import-input.ts';
import { changedBy, importInput, isDecided, summaryOf, undecided } from './import-input.ts';

type Commit = { readonly input: ImportInput; readonly seen: ImportPreview };
type Chosen = { readonly file: File; readonly rows: readonly StudentRow[] };

/** The steps of one import: choose the file, read, preview, decide, commit. */
export const useImport = (subjectId: string) => {
  const api = useApi();
  const [chosen, setChosen] = useState<Chosen>();
  const [unreadable, setUnreadable] = useState<Failed>();
  const [decisions, setDecisions] = useState<Decisions>(undecided);
  const [done, setDone] = useState<{ readonly summary: string; readonly changed: string }>();
  useUnsaved(chosen !== undefined && isDecided(decisions));

  const input = useMemo(() => chosen && importInput(subjectId, chosen.file.name, chosen.rows, decisions), [subjectId, chosen, decisions]);
  const preview = useQuery({
    queryKey: ['preview-students', input],
    queryFn: ({ signal }) => api.ask('preview-students', input!, { signal }),
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
    input: ({ input: sent, seen }: Commit) => ({ ...sent, seen: seen.seen }),
    work: ({ seen }) => `Storing ${counted(seen.rows.length, 'student')}`,
    notice: () => 'Data Uploaded Successfully',
    undo:
      ({ commandId }) =>
      async (command) => {
        setDone(undefined);
        const undone = await undoAll(command, subjectId, [commandId]);
        if (undone.already) return 'The import was undone already.';
        return [`The import was undone: ${counted(undone.students, 'student')} put back.`, ...staysOf(undone)].join(' ');
      },
    onDone: (_answer, { seen }) => {
      clear();
      setDone({ summary: summaryOf(seen), changed: changedBy(seen) });
    },
    onFailed: (failure) => (isRefused(failure) ? preview.refetch() : undefined),
    showsError: true,
  });
  const error: unknown = refusal ?? (chosen && preview.error) ?? undefined;

  const clear = () => {
    setChosen(undefined);
    setUnreadable(undefined);
    forget();
    setDecisions(undecided);
  };

  const choose = async (file: File) => {
    clear();
    setDone(undefined);
    const { parseStudents } = await import('#api/students/students-file.contract');
    const parsed = parseStudents({ name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) });
    if (parsed.ok) setChosen({ file, rows: parsed.rows });
    else setUnreadable({ of: 'file', refused: parsed });
  };

  return {
    file: chosen?.file,
    rows: chosen?.rows ?? [],
    choose,
    clear,
    decisions,
    decide: (change: Partial<Decisions>) => setDecisions((now) => ({ ...now, ...change })),
    preview: chosen ? preview.data : undefined,
    /** The preview does not reflect the latest decisions yet. */
    looking: chosen !== undefined && (preview.isFetching || preview.isPlaceholderData),
    failed: unreadable ?? (error === undefined ? undefined : { of: 'server', error }),
    commit: (seen: ImportPreview) => {
      if (input) void send({ input, seen });
    },
    committing: pending,
    done,
  };
};

export type Import = ReturnType<typeof useImport>;
