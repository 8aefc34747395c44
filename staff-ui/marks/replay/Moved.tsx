import type { Replay } from '#api/history/replay/replay.contract';
import type { Move } from '#api/history/replay/replay.formula';
import { movesBetween } from '#api/history/replay/replay.formula';
import { naturalOrder } from '#api/contract/order';
import { useMemo, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { day, dateTime } from '../../format.ts';
import { authorName, movesText, studentName, totalText } from './replay-words.ts';
import styles from './Replay.module.css';

type MovedProps = {
  readonly replay: Replay;
  /** Where the slider stands. */
  readonly at: number;
  readonly setId: string | undefined;
  readonly goTo: (step: number) => void;
};

/** Two moments side by side: the one that is shown, and another, at first now. */
export const Moved = ({ replay, at, setId, goTo }: MovedProps) => {
  const count = replay.steps.length;
  const [other, setOther] = useState(count);
  const [from, to] = at <= other ? [at, other] : [other, at];
  const moves = useMemo(() => inOrder(replay, movesBetween(replay, from, to, setId)), [replay, from, to, setId]);
  const [most, setMost] = useState(FEW);
  const hasGrades = moves.some(({ gradeBefore, gradeAfter }) => gradeBefore !== null || gradeAfter !== null);
  return (
    <section className={`stack own-width gap-3 ${styles.moved}`} aria-label="Two moments">
      <label className={`row gap-3 ${styles.other}`}>
        <span>Compare with {momentOf(replay, other)}</span>
        <input
          type="range"
          min={0}
          max={count}
          value={other}
          aria-valuetext={momentOf(replay, other)}
          onChange={({ target }) => setOther(Number(target.value))}
        />
      </label>
      <p role="status">
        Between {momentOf(replay, from)} and {momentOf(replay, to)} {movesText(moves)}.
      </p>
      {moves.length > 0 && (
        <Table label="What changed" isList cardsBelow={600}>
          <thead>
            <tr>
              <th scope="col">Student</th>
              <th scope="col">Assessment</th>
              <th scope="col" className="figure">
                Before
              </th>
              <th scope="col" className="figure">
                After
              </th>
              <th scope="col" className="figure">
                Difference
              </th>
              {hasGrades && <th scope="col">Grade</th>}
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {moves.slice(0, most).map((move) => (
              <Row key={`${move.student} ${move.test}`} replay={replay} move={move} hasGrades={hasGrades} goTo={goTo} />
            ))}
          </tbody>
        </Table>
      )}
      {moves.length > most && <Button onClick={() => setMost(most + FEW)}>Show more ({moves.length - most} left)</Button>}
    </section>
  );
};
const FEW = 50;

type RowProps = { readonly replay: Replay; readonly move: Move; readonly hasGrades: boolean; readonly goTo: MovedProps['goTo'] };

const Row = ({ replay, move: { student, test, before, after, gradeBefore, gradeAfter, steps }, hasGrades, goTo }: RowProps) => (
  <tr>
    <th scope="row">{studentName(replay, student)}</th>
    <td data-label="Assessment">{test === undefined ? '' : testName(replay, test)}</td>
    <td className="figure" data-label="Before">
      {test === undefined ? '' : totalText(before)}
    </td>
    <td className="figure" data-label="After">
      {test === undefined ? '' : totalText(after)}
    </td>
    <td className="figure" data-label="Difference">
      {differenceText(before.total, after.total)}
    </td>
    {hasGrades && (
      <td data-label="Grade">{gradeBefore === gradeAfter ? gradeAfter : `${gradeBefore ?? 'none'} → ${gradeAfter ?? 'none'}`}</td>
    )}
    <td data-label="By">
      {steps.slice(-MOST_STEPS).map((index) => {
        const step = replay.steps[index];
        return (
          step && (
            <Button key={index} look="plain" onClick={() => goTo(index + 1)}>
              {authorName(replay, step)}, {day(step.at)}
            </Button>
          )
        );
      })}
    </td>
  </tr>
);
const MOST_STEPS = 2;

const differenceText = (before: number | null, after: number | null): string => {
  if (before === null || after === null || before === after) return '';
  return after > before ? `+${after - before}` : `−${before - after}`;
};

/** The last name that it had. */
const testName = ({ steps, start }: Replay, test: number): string => {
  for (const { tests } of [...steps.toReversed(), start])
    for (const [place, shown] of tests ?? []) if (place === test && shown) return shown.name;
  return 'An assessment';
};

const momentOf = ({ steps }: Replay, at: number): string => {
  const step = steps[at - 1];
  return at === steps.length ? 'now' : step ? dateTime(step.at) : 'the beginning';
};

const inOrder = (replay: Replay, moves: readonly Move[]): readonly Move[] =>
  moves.toSorted((one, other) => naturalOrder(studentName(replay, one.student), studentName(replay, other.student)));
