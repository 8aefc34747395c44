import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { RaRecord } from 'react-admin';
import { useDataProvider, useDelete } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useCommand } from '../data/useCommand.ts';
import { useUndo } from '../dialog/useUndo.ts';
import { counted } from '../format.ts';

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
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [remove] = useDelete<Row>();
  const command = useCommand();
  const provider = useDataProvider();
  const toast = useToast();
  const undoOf = useUndo();
  const titleId = useId();
  // Only admins may move students.
  const mayMove = useSession().me.role === 'admin';

  const close = () => {
    setRow(undefined);
    setTrouble(undefined);
  };
  /** The command that moved the students, for undo; undefined: there were none. */
  const offRoll = async ({ id, subjectId }: Row): Promise<string | undefined> => {
    const all = { pagination: { page: 1, perPage: 2_000 }, sort: { field: 'id', order: 'ASC' } } as const;
    const sets =
      resource === 'sets'
        ? [id]
        : (await provider.getList<Occupied>('sets', { ...all, filter: { yearGroupId: id } })).data.map((set) => set.id);
    const { data } = await provider.getList<RaRecord<string>>('students', { ...all, filter: { subjectId, setId: sets } });
    const changes = data.map(({ studentId }) => ({ studentId: String(studentId), place: 'off-roll' as const }));
    return changes.length > 0 ? (await command('ChangeStudents', { subjectId, changes })).commandId : undefined;
  };
  const restore = async ({ id, subjectId }: Row, commandId: string | undefined) => {
    await (resource === 'sets'
      ? command('RestoreSet', { subjectId, setId: id })
      : command('RestoreYearGroup', { subjectId, yearGroupId: id }));
    if (commandId !== undefined) await command('UndoRosterChange', { subjectId, commandId });
  };
  const goOn = async (chosen: Row) => {
    setBusy(true);
    try {
      const moved = chosen.students > 0 ? await offRoll(chosen) : undefined;
      await remove(resource, { id: chosen.id, previousData: chosen }, { returnPromise: true, mutationMode: 'pessimistic' });
      after(chosen);
      toast({ tone: 'good', text: `${called(chosen)} deleted.`, ...undoOf(() => restore(chosen, moved)) });
      close();
    } catch (error) {
      setTrouble(sentence(error));
    }
    setBusy(false);
  };

  const isOccupied = row !== undefined && row.students > 0;
  const dialog = row && (
    <Dialog open onClose={close} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Delete {called(row)}?</DialogTitle>
      <DialogContent>
        {trouble !== undefined && <Notice tone="bad" title={trouble} />}
        {!isOccupied
          ? 'Marks and history stay as they are.'
          : `${counted(row.students, 'student is', 'students are')} in it. ${mayMove ? OFF_ROLL_FIRST : ASK_AN_ADMIN}`}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={close}>
          Cancel
        </Button>
        <Button variant="contained" color="error" disabled={busy || (isOccupied && !mayMove)} onClick={() => void goOn(row)}>
          {isOccupied && mayMove ? 'Move to Off-Roll and delete' : 'Delete'}
        </Button>
      </DialogActions>
    </Dialog>
  );
  return { ask: setRow, dialog };
};
