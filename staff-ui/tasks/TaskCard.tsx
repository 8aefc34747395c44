import { dateText } from '#api/contract/dates';
import type { TaskStatus } from '#api/tasks/task-status.contract';
import { daysBetween, daysOverdue } from '#api/tasks/task-status.contract';
import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { counted } from '../format.ts';
import { useArea } from '../shell/area.ts';
import { localDate } from '../../ui/as-of/moments.ts';
import { today } from './days.ts';
import styles from './Tasks.module.css';

type TaskCardProps = {
  readonly name: string;
  /** How far it is, in words. */
  readonly status: string;
  readonly done: boolean;
  readonly about: ReactNode;
  /** What can be done with it. */
  readonly children: ReactNode;
};

/** A feedback task, as it stands among others. */
export const TaskCard = ({ name, status, done, about, children }: TaskCardProps) => (
  <li className={`stack box ${styles.card}`} data-done={done || undefined}>
    <h3>{name}</h3>
    <p className={`strong ${styles.status}`}>{status}</p>
    <p className={`muted small ${styles.about}`}>{about}</p>
    <div className={`row ${styles.acts}`}>{children}</div>
  </li>
);

type ExpiryProps = { readonly task: { readonly expiry: string; readonly status: TaskStatus } };

/** Until when the task runs, and by how much it is overdue. */
export const Expiry = ({ task }: ExpiryProps) => {
  const late = daysOverdue(task, today());
  return (
    <span>
      Expires {dateText(task.expiry)}
      {late > 0 && <strong className="failed"> (Overdue!) {counted(late, 'day')} late</strong>}
    </span>
  );
};

/** As of a moment a task is read in the markbook, which shows its ranking and grades. */
export const RankingThen = ({ taskId, name }: { readonly taskId: string; readonly name: string }) => {
  const area = useArea();
  const query = new URLSearchParams(useSearch());
  query.set('ranking', taskId);
  return (
    <Link className={buttonClass()} to={`${area}/markbook?${query.toString()}`} aria-label={`Ranking of ${name}`}>
      Ranking
    </Link>
  );
};

/** 'since today', 'for 3 days' */
export const sinceText = (since: string): string => {
  const days = daysBetween(localDate(new Date(since)), today());
  return days === 0 ? 'since today' : `for ${counted(days, 'day')}`;
};
