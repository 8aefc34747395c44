import type { ReactNode } from 'react';
import { useState } from 'react';
import type { RaRecord } from 'react-admin';
import { useDataProvider } from 'react-admin';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import type { SendCommand } from '../../ui/sending/useSend.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import type { RecordOf } from '../data/record.ts';

export type Kind = RecordOf<'deleted'>['kind'];

/** How each kind of record is restored. */
const RESTORING: Readonly<Record<Kind, (ids: { id: string; subjectId: string }, command: SendCommand) => Promise<unknown>>> = {
  subject: ({ id: subjectId }, command) => command('RestoreSubject', { subjectId }),
  scheme: ({ id: schemeId }, command) => command('RestoreScheme', { schemeId }),
  assessment: ({ id: testId }, command) => command('RestoreAssessment', { testId }),
  yearGroup: ({ id: yearGroupId, subjectId }, command) => command('RestoreYearGroup', { subjectId, yearGroupId }),
  set: ({ id: setId, subjectId }, command) => command('RestoreSet', { subjectId, setId }),
  teacher: ({ id: teacherId, subjectId }, command) => command('RestoreTeacher', { subjectId, teacherId }),
  terminalExam: ({ id: terminalExamId, subjectId }, command) => command('RestoreTerminalExam', { subjectId, terminalExamId }),
};

/** @param record a subject's own id is that of its subject */
export const restore = (kind: Kind, record: RaRecord<string>, command: SendCommand): Promise<unknown> =>
  RESTORING[kind]({ id: record.id, subjectId: String(record['subjectId']) }, command);

type Removal<Row extends RaRecord<string>> = {
  readonly resource: string;
  /** The label of the button: 'Delete'. */
  readonly act: string;
  readonly title: (record: Row) => string;
  /** What would be removed with it. */
  readonly content: (record: Row) => ReactNode;
  readonly done: (record: Row) => string;
  /** What can be restored, and under which name that is said; omitted: it cannot. */
  readonly undo?: { readonly kind: Kind; readonly called: (record: Row) => string };
  /** Called once it is removed. */
  readonly after?: (record: Row) => void;
};

/** The notice of what was restored. */
export const isBack = (name: string): string => `${name} is back.`;

/** Confirms, removes, and offers Undo; a refusal is shown. Render `dialog` on the page and call `ask` from a button. */
export const useRemove = <Row extends RaRecord<string>>({ resource, act, title, content, done, undo, after }: Removal<Row>) => {
  const [record, setRecord] = useState<Row>();
  const provider = useDataProvider();
  const close = () => setRecord(undefined);
  const { send, pending } = useSend({
    act: (row: Row) => provider.delete<Row>(resource, { id: row.id, previousData: row }),
    invalidates: 'everything',
    notice: (_answer, row) => done(row),
    undo: (_answer, row) =>
      undo &&
      (async (command) => {
        await restore(undo.kind, row, command);
        return isBack(undo.called(row));
      }),
    onDone: (_answer, row) => {
      close();
      after?.(row);
    },
    onFailed: close,
  });

  const dialog = record && (
    <Confirm title={title(record)} go={act} removes pending={pending} onGo={() => void send(record)} onClose={close}>
      {content(record)}
    </Confirm>
  );
  return { ask: setRecord, dialog };
};
