import type { StudentRow } from '#api/roster/students-file.contract';
import type { ImportPreview } from '#api/roster/roster.contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useWork } from '../../ui/feedback/Work.tsx';
import type { Failed } from '../../ui/file/UploadFailure.tsx';
import { useCommand } from '../data/useCommand.ts';
import { counted } from '../format.ts';
import type { Decisions } from './import-input.ts';
import { importInput, summaryOf, undecided } from './import-input.ts';

type Chosen = { readonly file: File; readonly rows: readonly StudentRow[] };

/** The steps of one import: choose the file, read, preview, decide, commit. */
export const useImport = (subjectId: string) => {
  const api = useApi();
  const command = useCommand();
  const work = useWork();
  const toast = useToast();
  const [chosen, setChosen] = useState<Chosen>();
  const [unreadable, setUnreadable] = useState<Failed>();
  const [decisions, setDecisions] = useState<Decisions>(undecided);
  const [refusal, setRefusal] = useState<Failed>();
  const [committing, setCommitting] = useState(false);
  const [done, setDone] = useState<string>();

  const input = useMemo(() => chosen && importInput(subjectId, chosen.file.name, chosen.rows, decisions), [subjectId, chosen, decisions]);
  const preview = useQuery({
    queryKey: ['preview-students', input],
    queryFn: ({ signal }) => api.ask('preview-students', input!, { signal }),
    enabled: input !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });

  const clear = () => {
    setChosen(undefined);
    setUnreadable(undefined);
    setRefusal(undefined);
    setDecisions(undecided);
  };

  const choose = async (file: File) => {
    clear();
    setDone(undefined);
    const { parseStudents } = await import('#api/roster/students-file.contract');
    const parsed = parseStudents({ name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) });
    if (parsed.ok) setChosen({ file, rows: parsed.rows });
    else setUnreadable({ of: 'file', refused: parsed });
  };

  const undo = (commandId: string) => {
    setDone(undefined);
    command('UndoRosterChange', { subjectId, commandId }).then(
      ({ students }) => toast({ tone: 'good', text: `The import was undone: ${counted(students, 'student')} put back.` }),
      (error: unknown) => toast({ tone: 'bad', text: sentence(error) }),
    );
  };

  const commit = async (seen: ImportPreview) => {
    if (!input) return;
    setCommitting(true);
    setRefusal(undefined);
    try {
      const { commandId } = await work.run({ label: `Storing ${counted(seen.rows.length, 'student')}` }, () =>
        command('ImportStudents', { ...input, seen: seen.seen }),
      );
      clear();
      setDone(summaryOf(seen));
      toast({ tone: 'good', text: 'Data Uploaded Successfully', action: { label: 'Undo', run: () => undo(commandId) } });
    } catch (error) {
      setRefusal({ of: 'server', error });
      if (isRefused(error)) await preview.refetch();
    } finally {
      setCommitting(false);
    }
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
    failed: unreadable ?? refusal ?? (chosen && preview.error ? ({ of: 'server', error: preview.error } as const) : undefined),
    commit,
    committing,
    done,
  };
};

export type Import = ReturnType<typeof useImport>;
