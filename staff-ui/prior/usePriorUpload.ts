import type { PriorPreview, PriorStored } from '#api/prior/prior.contract';
import type { PriorRow } from '#api/prior/prior-file.contract';
import { useState } from 'react';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { counted } from '../format.ts';
import { readFile } from '../marks/upload/file/read-file.ts';
import { useReading } from '../marks/upload/file/useReading.ts';

/** A file as it was read and compared, for the year that it was compared for. */
type Read = {
  readonly fileName: string;
  readonly rows: readonly PriorRow[];
  readonly blank: number;
  readonly year: number;
  readonly preview: PriorPreview;
};

/** From a file with prior data to its commit: choose it, see what it would change, store it. */
export const usePriorUpload = (terminalExamId: string, year: number | undefined) => {
  const api = useApi();
  const subjectId = useSession().subject?.subjectId ?? '';
  const [file, setFile] = useState<File>();
  const [read, setRead] = useState<Read>();
  const [done, setDone] = useState<PriorStored>();
  const { busy, failed, forget, refuse, during } = useReading();

  const upload = () =>
    during(async () => {
      if (!file || year === undefined) return;
      const parsed = await readFile('prior', file);
      if (!parsed.ok) return refuse(parsed);
      const { rows, blank } = parsed;
      if (rows.length === 0) return refuse({ ok: false, message: 'No student of the file has a grade.', problems: [] });
      const preview = await api.ask('preview-prior', { subjectId, terminalExamId, yearCompleted: year, rows: [...rows] });
      setRead({ fileName: file.name, rows, blank, year, preview });
    });

  const storing = useCommand('UploadPriorScores', {
    invalidates: ['prior'],
    work: ({ fileName, preview }: Read) => `Storing ${counted(preview.students.length, 'score')} of ${fileName}`,
    showsError: true,
    input: ({ fileName, rows, year: yearCompleted, preview }) => {
      const saw = new Map(preview.students.map(({ admissionNo, now }) => [keyOf(admissionNo), now?.score ?? null]));
      return {
        subjectId,
        terminalExamId,
        yearCompleted,
        fileName,
        rows: rows.map((row) => ({ ...row, ...(saw.has(keyOf(row.admissionNo)) ? { was: saw.get(keyOf(row.admissionNo)) ?? null } : {}) })),
      };
    },
    onDone: setDone,
  });

  const startAgain = () => {
    setFile(undefined);
    setRead(undefined);
    setDone(undefined);
    forget();
    storing.forget();
  };
  return {
    file,
    chooseFile: (next: File) => {
      setFile(next);
      forget();
    },
    upload,
    read,
    busy: busy || storing.pending,
    failed: storing.error === undefined ? failed : ({ of: 'server', error: storing.error } as const),
    commit: () => {
      if (read) void storing.send(read);
    },
    done,
    startAgain,
  };
};

/** As the server recognises a StudentID. */
const keyOf = (admissionNo: string): string => admissionNo.trim().normalize('NFC').toLowerCase().normalize('NFC');
