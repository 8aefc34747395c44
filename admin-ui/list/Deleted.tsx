import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import { useGetList } from 'react-admin';
import { useSend } from '../../ui/sending/useSend.ts';
import { useFocusStays } from '../../ui/controls/useFocusStays.ts';
import type { RecordOf } from '../data/record.ts';
import type { Kind } from '../dialog/useRemove.tsx';
import { isBack, restore } from '../dialog/useRemove.tsx';
import styles from './Deleted.module.css';

/** A record of /api/rest/deleted. */
type DeletedRecord = RecordOf<'deleted'>;

/** The most that are shown. */
const MOST = 100;

type DeletedProps = {
  readonly kinds: readonly Kind[];
  /** Omitted: the whole school. */
  readonly subjectId?: string;
};

/** At the foot of a page: its deleted records, by whomever and whenever, each with Restore. Nothing if there are none. */
export const Deleted = ({ kinds, subjectId }: DeletedProps) => {
  const { data = [] } = useGetList<DeletedRecord>('deleted', {
    filter: { kind: kinds, ...(subjectId !== undefined && { subjectId }) },
    pagination: { page: 1, perPage: MOST },
    sort: { field: 'name', order: 'ASC' },
  });
  const restore = useRestore();
  return (
    <div ref={useFocusStays<HTMLDivElement>()} tabIndex={-1} className={styles.deleted}>
      {data.length > 0 && (
        <details>
          <summary>Deleted ({data.length})</summary>
          <p>
            Hidden, not lost: each comes back as it was.
            {kinds.includes('set') && ' Students who were moved out of a set stay where they are now.'}
          </p>
          <ul aria-label="Deleted">
            {data.map((one) => (
              <li key={one.id}>
                <span>{one.name}</span>
                <Changes>
                  <Button size="small" variant="outlined" aria-label={`Restore ${one.name}`} onClick={() => void restore(one)}>
                    Restore
                  </Button>
                </Changes>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

const useRestore = () =>
  useSend({
    act: (one: DeletedRecord, command) => restore(one.kind, one, command),
    invalidates: 'everything',
    notice: (_answer, { name }) => isBack(name),
  }).send;
