import { useGetList } from 'react-admin';
import { useSend } from '../../ui/sending/useSend.ts';
import type { RecordOf } from '../data/record.ts';
import { isBack } from '../dialog/useRemove.tsx';
import { day } from '../format.ts';
import { HiddenList, MOST } from '../list/Deleted.tsx';
import { undoAll, undoneNotice } from './undone.ts';

/** A record of /api/rest/removedStudents. */
type Removed = RecordOf<'removedStudents'>;

/** Who was removed from the subject, the last first, each with Restore. */
export const RemovedStudents = ({ subjectId }: { readonly subjectId: string }) => {
  const { data = [], total = data.length } = useGetList<Removed>('removedStudents', {
    filter: { subjectId },
    pagination: { page: 1, perPage: MOST },
    sort: { field: 'removedAt', order: 'DESC' },
  });
  const { send } = useSend({
    act: ({ studentId }: Removed, command) => command('ChangeStudents', { subjectId, changes: [{ studentId, place: 'back' }] }),
    invalidates: 'everything',
    notice: (_answer, { name }) => isBack(name),
    undo:
      ({ commandId }, { name }) =>
      async (command) =>
        undoneNotice(`${name}: restored`, await undoAll(command, subjectId, [commandId])),
  });
  return (
    <HiddenList
      title="Removed students"
      count={total}
      rows={data}
      detail={({ admissionNo, set, removedAt, removedBy }) =>
        `${admissionNo} · ${set} · removed ${day(removedAt)}${removedBy === null ? '' : ` by ${removedBy}`}`
      }
      onRestore={(one) => void send(one)}
    >
      Hidden, not lost: each comes back with all results, to the class where they were last, or to Off-Roll if that is gone.
    </HiddenList>
  );
};
