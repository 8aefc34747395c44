import type { Replay } from '#api/history/replay/replay.contract';
import { stepOfStudent } from '#api/history/replay/replay.formula';
import { naturalOrder } from '#api/contract/order';
import { useId, useMemo } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { useStructure } from '../../queries.ts';
import { useArea } from '../../shell/area.ts';
import { placeQuery, usePlace } from '../../shell/place.ts';
import { useMedia } from '../../../ui/controls/useMedia.ts';
import { FORGOTTEN } from '../markbook/view.ts';
import type { useView } from '../markbook/useView.ts';
import styles from './Replay.module.css';

/** What stands between the slider and the table. */
export type Panel = 'compare' | 'what if';

type ChoicesProps = {
  readonly replay: Replay;
  readonly at: number;
  readonly goTo: (step: number) => void;
  /** The student whose changes the slider can jump to. */
  readonly student: string | undefined;
  readonly choose: (studentId: string | undefined) => void;
  readonly setId: string | undefined;
  readonly filter: ReturnType<typeof useView>['filter'];
  /** Opens the entry of the record. */
  readonly show: (eventId: string) => void;
  readonly panel: Panel | undefined;
  readonly setPanel: (panel: Panel | undefined) => void;
  readonly isRanked: boolean;
};

/** Whose changes, of which class, and where a change leads to. On a phone behind one line, so that the table is in sight. */
export const Choices = (props: ChoicesProps) => {
  const isPhone = useMedia('(max-width: 599px)');
  if (!isPhone) return <All {...props} />;
  return (
    <details className={styles.more}>
      <summary className="strong">Student, class, compare</summary>
      <div className={`row ${styles.below}`}>
        <All {...props} />
      </div>
    </details>
  );
};

const All = ({ replay, at, goTo, student, choose, setId, filter, show, panel, setPanel, isRanked }: ChoicesProps) => {
  const { yearGroup, set } = usePlace(useStructure().data);
  const area = useArea();
  const step = replay.steps[at - 1];
  const query = placeQuery(yearGroup, set);
  return (
    <>
      <OfStudent replay={replay} at={at} goTo={goTo} student={student} choose={choose} />
      <label className={`stack gap-1 ${styles.part}`}>
        <span className="tiny muted">Class</span>
        <select
          className="field"
          value={setId ?? ''}
          onChange={({ target }) => filter({ set: yearGroup?.sets.find((one) => one.setId === target.value)?.name })}
        >
          <option value="">All classes</option>
          {yearGroup?.sets.map((one) => (
            <option key={one.setId} value={one.setId}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {step && (
        <>
          <Link className={buttonClass()} to={`${area}/markbook${query}${query ? '&' : '?'}asOf=${encodeURIComponent(step.at)}`}>
            Open this moment
          </Link>
          <Button aria-haspopup="dialog" onClick={() => show(step.eventId)}>
            What happened
          </Button>
        </>
      )}
      <Button aria-expanded={panel === 'compare'} onClick={() => setPanel(panel === 'compare' ? undefined : 'compare')}>
        Compare
      </Button>
      {isRanked && (
        <Button aria-expanded={panel === 'what if'} onClick={() => setPanel(panel === 'what if' ? undefined : 'what if')}>
          What if
        </Button>
      )}
    </>
  );
};

const OfStudent = ({ replay, at, goTo, student, choose }: Pick<ChoicesProps, 'replay' | 'at' | 'goTo' | 'student' | 'choose'>) => {
  const id = useId();
  const students = useMemo(
    () => replay.students.toSorted((one, other) => naturalOrder(one.name ?? FORGOTTEN, other.name ?? FORGOTTEN)),
    [replay],
  );
  const place = replay.students.findIndex(({ studentId }) => studentId === student);
  const [before, next] = place < 0 ? [] : [stepOfStudent(replay, place, at, -1), stepOfStudent(replay, place, at, 1)];
  return (
    <div className={`stack gap-1 ${styles.part}`}>
      <label htmlFor={id} className="tiny muted">
        Changes of one student
      </label>
      <div className="line gap-1">
        <Jump label="Previous change of the student" sign="‹" to={before} goTo={goTo} />
        <select
          className="field"
          id={id}
          value={student ?? ''}
          onChange={({ target }) => choose(target.value === '' ? undefined : target.value)}
        >
          <option value="">Choose a student</option>
          {students.map(({ studentId, name, admissionNo }) => (
            <option key={studentId} value={studentId}>
              {name ?? FORGOTTEN} {admissionNo}
            </option>
          ))}
        </select>
        <Jump label="Next change of the student" sign="›" to={next} goTo={goTo} />
      </div>
    </div>
  );
};

type JumpProps = { readonly label: string; readonly sign: string; readonly to: number | undefined; readonly goTo: (step: number) => void };

const Jump = ({ label, sign, to, goTo }: JumpProps) => (
  <Button aria-label={label} title={label} disabled={to === undefined} onClick={() => to !== undefined && goTo(to)}>
    {sign}
  </Button>
);
