import type { Markbook } from '#api/marks/marks.contract';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Popover } from '../../../ui/controls/Popover.tsx';
import { useMoment } from '../../moment.ts';
import { naturalOrder } from '#api/contract/order';
import { useLiveState, useSession } from '../../../ui/session/Session.tsx';
import { useStructure } from '../../queries.ts';
import { useArea } from '../../shell/area.ts';
import { placeQuery, usePlace } from '../../shell/place.ts';
import { besides } from './beside.ts';
import { DownloadExcel, readableYears } from './DownloadExcel.tsx';
import styles from './Toolbar.module.css';
import type { useBeside } from './beside.ts';
import type { useView } from './useView.ts';
import type { View } from './view.ts';
import { counted, dateTime, day, some } from '../../format.ts';

type FilterProps = { readonly markbook: Markbook; readonly view: View; readonly filter: ReturnType<typeof useView>['filter'] };
type ToolbarProps = FilterProps & {
  readonly beside: ReturnType<typeof useBeside>;
  /** On a phone, where the table is to be in sight: which ranking is shown, the replay, and what is rarely wanted, behind a button. */
  readonly isPhone: boolean;
};

/** Filters of the table, and whether it is live. */
export const Toolbar = ({ markbook, view, filter, beside, isPhone }: ToolbarProps) => {
  const rare = (
    <>
      {markbook.ranked && !markbook.rows && (
        <label className={`tick ${styles.check}`} title={besides.map(({ label }) => label).join(', ')}>
          <input type="checkbox" checked={beside.isShown} onChange={({ target }) => beside.choose(target.checked)} />
          More beside the residual
        </label>
      )}
      <DownloadExcel markbook={markbook} hasBeside={beside.isShown} />
    </>
  );
  const only = view.only && (
    <Button
      className={styles.only}
      onClick={() => filter({ only: undefined })}
      aria-label={`Show everybody, not only ${onlyText(markbook, view.only)}`}
    >
      Only {onlyText(markbook, view.only)} ✕
    </Button>
  );
  return (
    <>
      <div className={`row ${styles.bar}`} role="search">
        {!isPhone && <YearGroup />}
        <SetFilter markbook={markbook} view={view} filter={filter} />
        <Find value={view.search} onFind={(find) => filter({ find })} />
        {!isPhone && only}
        {!isPhone && rare}
        <div className={styles.end}>
          <Live />
          {isPhone && (
            <Popover label="More" look="quiet">
              <div className="stack own-width gap-3">
                <YearGroup />
                <RankingOf markbook={markbook} />
                <ReplayLink />
                {rare}
              </div>
            </Popover>
          )}
        </div>
        {isPhone && only}
      </div>
    </>
  );
};

/** A teacher's own sets first, if they have only some of the year group's. */
const SetFilter = ({ markbook, view, filter }: FilterProps) => {
  const sets = markbook.sets.toSorted((a, b) => naturalOrder(a.name, b.name));
  const [mine, others] = [sets.filter(({ mayWrite }) => mayWrite), sets.filter(({ mayWrite }) => !mayWrite)];
  const options = (some: typeof sets) => some.map(({ setId, name }) => <option key={setId}>{name}</option>);
  return (
    <label className={styles.part}>
      <span className="tiny muted">Set</span>
      <select
        className="field"
        value={sets.find(({ setId }) => setId === view.setId)?.name ?? ''}
        onChange={(event) => filter({ set: event.target.value || undefined })}
      >
        <option value="">All sets</option>
        {mine.length === 0 || others.length === 0 ? (
          options(sets)
        ) : (
          <>
            <optgroup label="My classes">{options(mine)}</optgroup>
            <optgroup label="Other classes">{options(others)}</optgroup>
          </>
        )}
      </select>
    </label>
  );
};

const onlyText = ({ tests }: Markbook, { testId, what }: NonNullable<View['only']>): string =>
  `${what === 'contested' ? 'several values' : what} in ${tests.find((test) => test.testId === testId)?.name ?? ''}`;

const YearGroup = () => {
  const structure = useStructure();
  const { me } = useSession();
  const { yearGroups: all, yearGroup, change } = usePlace(structure.data);
  const yearGroups = readableYears(all, me.role);
  if (yearGroups.length < 2 || !yearGroup) return null;
  return (
    <label className={styles.part}>
      <span className="tiny muted">Year group</span>
      <select
        className="field"
        value={yearGroup.year}
        onChange={(event) =>
          change({ year: event.target.value, set: undefined, page: undefined, only: undefined, sort: undefined, dir: undefined })
        }
      >
        {yearGroups
          .toSorted((a, b) => a.year - b.year)
          .map(({ yearGroupId, year }) => (
            <option key={yearGroupId} value={year}>
              Year {year}
            </option>
          ))}
      </select>
    </label>
  );
};

const Find = ({ value, onFind }: { readonly value: string; readonly onFind: (text: string) => void }) => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <label className={`${styles.part} ${styles.find}`}>
      <span className="tiny muted">
        Find a student <kbd className="not-on-phone">/</kbd>
      </span>
      <input
        className="field"
        ref={input}
        type="search"
        value={value}
        placeholder="Name or ID"
        aria-keyshortcuts="/"
        onChange={(event) => onFind(event.target.value)}
      />
    </label>
  );
};

const Live = () => {
  const live = useLiveState();
  const { asOf } = useMoment();
  if (asOf !== undefined) return null;
  return (
    <p className={`line small muted ${styles.live}`} data-live={live} role="status">
      {live === 'live' ? 'Live' : live === 'connecting' ? 'Connecting…' : 'Not live: reconnecting…'}
    </p>
  );
};

/** From which feedback task the ranking comes, when it was made and over whom; and the others that can be shown. */
export const RankingOf = ({ markbook: { ranked, rankings = [] } }: { readonly markbook: Markbook }) => {
  const { change } = usePlace(useStructure().data);
  if (!ranked) return null;
  const { taskId, name, at, students, sets } = ranked;
  return (
    <p className={`row small muted ${styles.ranking}`}>
      {rankings.length > 1 ? (
        <label>
          Ranking of{' '}
          <select
            className="field"
            value={taskId}
            onChange={({ target }) => change({ ranking: target.value === rankings[0]?.taskId ? undefined : target.value })}
          >
            {rankings.map((one) => (
              <option key={one.taskId} value={one.taskId}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <>Ranking of {nameOf({ name })}</>
      )}{' '}
      <span title={dateTime(at)}>
        {day(at)}, over {counted(students, 'student')} of {some(sets, 4)}
      </span>
    </p>
  );
};

const nameOf = ({ name }: { readonly name: string | null }): string => name ?? 'A task without a name';

/** How the markbook that is shown came about. */
export const ReplayLink = () => {
  const { yearGroup, set } = usePlace(useStructure().data);
  return (
    <Link className={buttonClass()} to={`${useArea()}/markbook/replay${placeQuery(yearGroup, set)}`}>
      Replay
    </Link>
  );
};
