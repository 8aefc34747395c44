import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { RaRecord } from 'react-admin';
import { useDataProvider } from 'react-admin';
import { sentence } from '../../../ui/api/failure.ts';
import type { SendCommand } from '../../../ui/sending/useSend.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { restore } from '../../dialog/useRemove.tsx';
import { counted } from '../../format.ts';
import { staysOf, undoAll } from '../../students/undone.ts';

type Occupied = RaRecord<string> & { readonly subjectId: string; readonly students: number };
type Removal<Row> = {
  readonly resource: 'sets' | 'yearGroups';
  readonly called: (row: Row) => string;
  readonly after: (row: Row) => void;
};

const OFF_ROLL_FIRST = 'They can be moved to Off-Roll first: their marks stay, and they can be given another set later.';
const ASK_AN_ADMIN = 'An admin can move them to another set or to Off-Roll; then it can be deleted.';

/**
 * Deletes a set or a year group. If it has students they are moved to Off-Roll first, by a command of its own. Undo reverses both, the
 * students last, because they need their set.
 */
export const useOffRollRemoval = <Row extends Occupied>({ resource, called, after }: Removal<Row>) => {
  const [row, setRow] = useState<Row>();
  const provider = useDataProvider();
  const titleId = useId();
  // Only admins may move students.
  const mayMove = useSession().me.role === 'admin';

  const close = () => {
    setRow(undefined);
    forget();
  };
  /** The command that moved the students, for undo; undefined: there were none. */
  const offRoll = async ({ id, subjectId }: Row, command: SendCommand): Promise<string | undefined> => {
    const all = { pagination: { page: 1, perPage: 2_000 }, sort: { field: 'id', order: 'ASC' } } as const;
    const sets =
      resource === 'sets'
        ? [id]
        : (await provider.getList<Occupied>('sets', { ...all, filter: { yearGroupId: id } })).data.map((set) => set.id);
    const { data } = await provider.getList<RaRecord<string>>('students', { ...all, filter: { subjectId, setId: sets } });
    const changes = data.map(({ studentId }) => ({ studentId: String(studentId), place: 'off-roll' as const }));
    return changes.length > 0 ? (await command('ChangeStudents', { subjectId, changes })).commandId : undefined;
  };
  const restoreAll = async (chosen: Row, commandId: string | undefined, command: SendCommand): Promise<string | undefined> => {
    await restore(resource === 'sets' ? 'set' : 'yearGroup', chosen, command);
    if (commandId === undefined) return undefined;
    const stays = staysOf(await undoAll(command, chosen.subjectId, [commandId]));
    return stays.length > 0 ? [`${called(chosen)} restored.`, ...stays].join(' ') : undefined;
  };
  const { send, pending, error, forget } = useSend({
    act: async (chosen: Row, command) => {
      const moved = chosen.students > 0 ? await offRoll(chosen, command) : undefined;
      await provider.delete<Row>(resource, { id: chosen.id, previousData: chosen });
      return moved;
    },
    invalidates: 'everything',
    notice: (_moved, chosen) => `${called(chosen)} deleted.`,
    undo: (moved, chosen) => (command) => restoreAll(chosen, moved, command),
    onDone: (_moved, chosen) => {
      after(chosen);
      close();
    },
    showsError: true,
  });

  const isOccupied = row !== undefined && row.students > 0;
  const dialog = row && (
    <Dialog open onClose={close} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Delete {called(row)}?</DialogTitle>
      <DialogContent>
        {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
        {!isOccupied
          ? 'Marks and history stay as they are.'
          : `${counted(row.students, 'student is', 'students are')} in it. ${mayMove ? OFF_ROLL_FIRST : ASK_AN_ADMIN}`}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={close}>
          Cancel
        </Button>
        <Button variant="contained" color="error" disabled={pending || (isOccupied && !mayMove)} onClick={() => void send(row)}>
          {isOccupied && mayMove ? 'Move to Off-Roll and delete' : 'Delete'}
        </Button>
      </DialogActions>
    </Dialog>
  );
  return { ask: setRow, dialog };
};
