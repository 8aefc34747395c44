import { toldApart } from '#api/contract/names';
import { useGetList } from 'react-admin';
import { Link, useLocation } from 'react-router';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { OFF_ROLL } from '../../ui/students/place-of.ts';
import type { Student } from './student.ts';

type ElsewhereProps = {
  readonly find: string;
  /** Where nobody was found: the name of a set, of Off-Roll or of the subject. */
  readonly name: string;
};

/** Nobody is called so in a group: who is, and where, in the whole school. */
export const Elsewhere = ({ find, name }: ElsewhereProps) => {
  const { me, subject } = useSession();
  const { pathname, search } = useLocation();
  const {
    data: found = [],
    total = 0,
    isPending,
  } = useGetList<Student>('students', {
    filter: { q: find },
    pagination: { page: 1, perPage: SOME },
    sort: { field: 'name', order: 'ASC' },
  });
  if (isPending) return <Skeleton rows={3} />;
  const addressOf = (parts: Readonly<Record<string, string>>): string => {
    const asOf = new URLSearchParams(search).get('asOf');
    return `${pathname}?${new URLSearchParams({ ...parts, find, ...(asOf !== null && { asOf }) }).toString()}`;
  };
  return (
    <EmptyState title={`Nothing is called “${find}” in ${name}`}>
      {total === 0 ? (
        <p>Nobody in the school has such a name or StudentID. Try a part of it.</p>
      ) : (
        <ul>
          {toldApart(found).map(({ id, name: who, subjectId, setId, set }) => {
            const other = subjectId === subject?.subjectId ? undefined : me.subjects.find((one) => one.subjectId === subjectId);
            return (
              <li key={id}>
                {who} is in <Link to={addressOf({ subject: subjectId, group: setId ?? OFF_ROLL })}>{set}</Link>
                {other && `, ${other.name}`}
              </li>
            );
          })}
          {total > found.length && <li>and {total - found.length} more: type more of the name.</li>}
        </ul>
      )}
    </EmptyState>
  );
};

/** As many as one reads at a glance. */
const SOME = 6;
