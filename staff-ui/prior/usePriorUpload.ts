import type { PriorPreview, PriorStored } from '#api/prior/prior.contract';
import type { ParsedPrior } from '#api/prior/prior-file.contract';
import { idKey } from '#api/students/identity.formula';
import { useState } from 'react';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import { counted } from '../format.ts';
import type { Read } from '../../ui/file/useUploadSteps.ts';
import { useUploadSteps } from '../../ui/file/useUploadSteps.ts';

/** What a file would change, for the year it was compared for; undefined: nobody in it has a grade. */
type Found = { readonly year: number; readonly preview: PriorPreview | undefined };
type PriorRead = Read<ParsedPrior, Found>;

/** From a file with prior data to its commit: choose it, see what it would change, store it. */
export const usePriorUpload = (terminalExamId: string, year: number | undefined) => {
  const api = useApi();
  const subjectId = useSession().subject?.subjectId ?? '';
  const [done, setDone] = useState<PriorStored>();
  const rowsOf = ({ rows }: ParsedPrior) => rows.map(({ admissionNo, name, score }) => ({ admissionNo, name, score }));
  const steps = useUploadSteps<ParsedPrior, Found>({
    kind: async () => (await import('./kind.ts')).priorKind,
    name: 'prior',
    subjectId,
    find: async (parsed) => {
      if (year === undefined) throw new Error('no year is chosen');
      if (parsed.rows.length === 0) return { year, preview: undefined };
      return { year, preview: await api.ask('preview-prior', { subjectId, terminalExamId, yearCompleted: year, rows: rowsOf(parsed) }) };
    },
    unmatchedOf: ({ preview }) => preview?.unmatched ?? [],
  });
  const { read } = steps;
  const { preview } = read?.found ?? {};

  const storing = useCommand('UploadPriorScores', {
    invalidates: ['prior'],
    work: ({ fileName, found }: PriorRead) => `Storing ${counted(found.preview?.students.length ?? 0, 'score')} of ${fileName}`,
    showsError: true,
    input: ({ fileName, parsed, found }) => {
      const saw = new Map(found.preview?.students.map(({ admissionNo, now }) => [idKey(admissionNo), now?.score ?? null]));
      return {
        subjectId,
        terminalExamId,
        yearCompleted: found.year,
        fileName,
        rows: rowsOf(parsed).map((row) => ({
          ...row,
          ...(saw.has(idKey(row.admissionNo)) ? { was: saw.get(idKey(row.admissionNo)) ?? null } : {}),
        })),
      };
    },
    onDone: setDone,
  });

  useUnsaved(preview !== undefined && !done && !storing.pending);
  const nobody = read && !preview ? ({ of: 'file', refused: NO_GRADE } as const) : undefined;
  return {
    ...steps,
    /** What it would change. */
    read: read && preview ? { ...read, preview } : undefined,
    busy: steps.busy || storing.pending,
    failed: storing.error === undefined ? (nobody ?? steps.failed) : ({ of: 'server', error: storing.error } as const),
    commit: () => {
      if (read) void storing.send(read);
    },
    done,
    startAgain: () => {
      steps.chooseFile(undefined);
      setDone(undefined);
      storing.forget();
    },
  };
};

const NO_GRADE = { ok: false, message: 'No student of the file has a grade.', problems: [] } as const;
