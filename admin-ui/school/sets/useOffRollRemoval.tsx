import { useState } from 'react';
import type { RaRecord } from 'react-admin';
import { sentence } from '../../../ui/api/failure.ts';
import { undoAct } from '../../../ui/sending/undo-act.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { RemovalDialog } from '../../dialog/RemovalDialog.tsx';
import { isBack } from '../../dialog/useRemove.tsx';
import { counted } from '../../format.ts';

type Occupied = RaRecord<string> & { readonly subjectId: string; readonly students: number };
type Removal<Row> = {
  readonly resource: 'sets' | 'yearGroups';
  readonly called: (row: Row) => string;
  readonly after: (row: Row) => void;
};

const OFF_ROLL_FIRST = 'They can be moved to Off-Roll first: their marks and log-ins stay, and they can be given another set later.';
const ASK_AN_ADMIN = 'An admin can move them to another set or to Off-Roll; then it can be deleted.';

/** Deletes a set or a year group, as one act with its students, who are moved to Off-Roll first. */
export const useOffRollRemoval = <Row extends Occupied>({ resource, called, after }: Removal<Row>) => {
  const [row, setRow] = useState<Row>();
  // Only admins may move students.
  const mayMove = useSession().me.role === 'admin';

  const close = () => {
    setRow(undefined);
    forget();
  };
  const { send, pending, error, forget } = useSend({
    act: ({ id, subjectId, students }: Row, command) =>
      resource === 'sets'
        ? command('DeleteSet', { subjectId, setId: id, offRoll: students > 0 })
        : command('DeleteYearGroup', { subjectId, yearGroupId: id, offRoll: students > 0 }),
    invalidates: 'everything',
    notice: (_answer, chosen) => `${called(chosen)} deleted.`,
    undo:
      ({ actId }, chosen) =>
      async (command) => {
        const undone = await undoAct(command, chosen.subjectId, actId);
        return undone && [isBack(called(chosen)), ...undone.stays].join(' ');
      },
    onDone: (_answer, chosen) => {
      after(chosen);
      close();
    },
    showsError: true,
  });

  const isOccupied = row !== undefined && row.students > 0;
  const dialog = row && (
    <RemovalDialog
      title={`Delete ${called(row)}?`}
      go={isOccupied && mayMove ? `Move ${counted(row.students, 'student')} to Off-Roll and delete` : 'Delete'}
      stay="Cancel"
      students={mayMove ? row.students : 0}
      cannot={pending || (isOccupied && !mayMove)}
      onGo={() => void send(row)}
      onClose={close}
    >
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
      <p>
        {!isOccupied
          ? 'Marks and history stay as they are.'
          : `${counted(row.students, 'student is', 'students are')} in it. ${mayMove ? OFF_ROLL_FIRST : ASK_AN_ADMIN}`}
      </p>
    </RemovalDialog>
  );
  return { ask: setRow, dialog };
};
