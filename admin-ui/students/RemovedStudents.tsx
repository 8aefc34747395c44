import { ListBase, useListContext } from 'react-admin';
import { useSend } from '../../ui/sending/useSend.ts';
import type { RecordOf } from '../data/record.ts';
import { isBack } from '../dialog/useRemove.tsx';
import { day } from '../format.ts';
import { HiddenList } from '../list/Deleted.tsx';
import { SearchBox, useSearch } from '../list/filters/SearchBox.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { undoAll, undoneNotice } from './undone.ts';

/** A record of /api/rest/removedStudents. */
type Removed = RecordOf<'removedStudents'>;

const PAGE = 15;

/** Who was removed from the subject, the last first, each with Restore. */
export const RemovedStudents = ({ subjectId }: { readonly subjectId: string }) => (
  <ListBase<Removed>
    resource="removedStudents"
    perPage={PAGE}
    sort={{ field: 'removedAt', order: 'DESC' }}
    filter={{ subjectId }}
    disableSyncWithLocation
    storeKey={false}
  >
    <Rows subjectId={subjectId} />
  </ListBase>
);

const Rows = ({ subjectId }: { readonly subjectId: string }) => {
  const { data = [], total = 0 } = useListContext<Removed>();
  const { words } = useSearch();
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
      title="Deleted students"
      rows={data}
      count={total}
      detail={({ admissionNo, set, removedAt, removedBy }) =>
        `${admissionNo} · ${set} · deleted ${day(removedAt)}${removedBy === null ? '' : ` by ${removedBy}`}`
      }
      onRestore={(one) => void send(one)}
      tools={
        (total > PAGE || words !== '') && (
          <div className="row gap-3 apart">
            <SearchBox label="Search deleted students" />
            <ListPager of="deleted students" />
          </div>
        )
      }
    >
      Hidden, not lost: each comes back with all results, to the class where they were last, or to Off-Roll if that is gone.
    </HiddenList>
  );
};
