import type { ReactNode } from 'react';
import { buttonClass } from '../controls/Button.tsx';
import { AppLink } from '../frame/navigation.tsx';
import { readsHistory, sectionsOf } from '../roles.ts';
import { useSession } from '../session/Session.tsx';
import type { RecordFilters } from './filters.ts';
import { withFilters } from './filters.ts';

type Thing = { readonly id: string; readonly name: string };
type HistoryLinkProps = {
  readonly of: Thing;
  /** The assessment or question, of a mark of the student. */
  readonly in?: Thing;
  /** What it says; left out: History. */
  readonly children?: ReactNode;
};

/** Opens what happened to a thing or a person: the History of the reader's own area, narrowed. */
export const HistoryLink = ({ of, in: within, children }: HistoryLinkProps) => {
  const { role } = useSession().me;
  const filters: RecordFilters = { about: of.id, aboutName: of.name, ...(within && { in: within.id, inName: within.name }) };
  return (
    <AppLink
      className={buttonClass('plain')}
      to={`${readsHistory(role) ? '' : `/${sectionsOf(role)[0]}`}/history?${withFilters(new URLSearchParams(), filters).toString()}`}
      aria-label={children === undefined ? `History of ${of.name}` : undefined}
    >
      {children ?? 'History'}
    </AppLink>
  );
};
