import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
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
    <HiddenList title="Deleted" rows={data} onRestore={(one) => void restore(one)}>
      Hidden, not lost: each comes back as it was.
      {kinds.includes('set') && ' Students who were moved out of a set stay where they are now.'}
    </HiddenList>
  );
};

type HiddenListProps<Row> = {
  readonly title: string;
  /** If `rows` are some of them: how many there are. */
  readonly count?: number;
  readonly rows: readonly Row[];
  /** What stands beneath a name. */
  readonly detail?: (row: Row) => string;
  readonly onRestore: (row: Row) => void;
  /** Above the list: its search, its pager. With them it is shown even if it is empty. */
  readonly tools?: ReactNode;
  /** What restoring does. */
  readonly children: ReactNode;
};

/** What can be restored, at the foot of a page; nothing if there is none. */
export const HiddenList = <Row extends { readonly id: string; readonly name: string }>({
  title,
  rows,
  count = rows.length,
  detail,
  onRestore,
  tools,
  children,
}: HiddenListProps<Row>) => (
  <div ref={useFocusStays<HTMLDivElement>()} tabIndex={-1} className={styles.deleted}>
    {(rows.length > 0 || tools) && (
      <details>
        <summary>
          {title} ({count.toLocaleString('en-GB')})
        </summary>
        <p className="muted">{children}</p>
        {tools}
        <ul aria-label={title}>
          {rows.map((one) => (
            <li key={one.id} className="line gap-3 apart">
              <span className="breaks">
                {one.name}
                {detail && <small className={`muted small ${styles.detail}`}>{detail(one)}</small>}
              </span>
              <Changes>
                <Button size="small" variant="outlined" aria-label={`Restore ${one.name}`} onClick={() => onRestore(one)}>
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

const useRestore = () =>
  useSend({
    act: (one: DeletedRecord, command) => restore(one.kind, one, command),
    invalidates: 'everything',
    notice: (_answer, { name }) => isBack(name),
  }).send;
