import type { ClassHome } from '#api/analysis/analysis.contract';
import type { Rag, Thresholds } from '#api/analysis/topics.formula';
import type { ReactNode } from 'react';
import { Fragment } from 'react';
import { useAnswerPosition } from '../../../ui/api/ApiProvider.tsx';
import type { Questions } from '../../../ui/api/questions.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { useMoment } from '../../moment.ts';
import { count, counted, dateTime, fourDecimals } from '../../format.ts';
import styles from './Explanations.module.css';
import type { OpenMarks } from './OpenFlag.tsx';
import { OpenFlag } from './OpenFlag.tsx';

export type Fact = readonly [name: string, fact: ReactNode];

/** What a figure rests on, fact by fact. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className={`breaks ${styles.facts}`}>
    {facts.map(([name, fact]) => (
      <Fragment key={name}>
        <dt className="muted">{name}</dt>
        <dd>{fact}</dd>
      </Fragment>
    ))}
  </dl>
);

type MeanFactsProps = {
  readonly facts: readonly Fact[];
  readonly open: OpenMarks | undefined;
  /** Of what the mean is: '11X1'. */
  readonly of: string;
  readonly onTotals: () => void;
  /** A note. */
  readonly children: ReactNode;
};

/** What a mean rests on, and the way to the totals behind it. */
export const MeanFacts = ({ facts, open, of, onTotals, children }: MeanFactsProps) => (
  <>
    <Facts facts={facts} />
    <OpenFlag open={open} of={of} onDecide={onTotals} />
    <div>
      <Button onClick={onTotals}>See the totals behind it</Button>
    </div>
    <p className="small muted">{children}</p>
  </>
);

/** The fact up to where the log has been read for an answer. */
export const useAsOfText = <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask']): Fact => {
  const { asOf } = useMoment();
  const position = useAnswerPosition(name, ask);
  if (asOf !== undefined) return ['As of', `${dateTime(asOf)}: everything that had been stored by then`];
  return ['As of', position === undefined ? 'now' : `now: everything up to position ${count(Number(position))} of the log`];
};

type LeftOut = Pick<ClassHome['completed'][number]['leftOut'][number], 'name' | 'why'>;

export const WHY: Readonly<Record<LeftOut['why'], string>> = {
  absent: 'absent',
  exempt: 'exempt',
  'no-marks': 'no marks entered',
  'no-total': 'no total',
};

/** 'absent: Edwards, Sophie; no total: 2 students …' */
export const leftOutText = (leftOut: readonly LeftOut[], whys: readonly LeftOut['why'][]): string =>
  whys
    .flatMap((why) => {
      const names = leftOut.filter((one) => one.why === why).map(({ name }) => name ?? 'a forgotten student');
      return names.length === 0 ? [] : [`${WHY[why]}: ${namesText(names)}`];
    })
    .join('; ') || 'nobody';

const namesText = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(' · ')
    : `${counted(names.length, 'student')}, among them ${names.slice(0, MOST_NAMES).join(' · ')}`;
const MOST_NAMES = 8;

/** 'above 70 green, above 40 amber, else red' */
export const thresholdsText = ({ amber, green }: Thresholds): string => `above ${green} green, above ${amber} amber, else red`;

/** '100 × 41 ÷ 58 = 70.6897, cut to 70: green' */
export const valueText = (value: number | null, rag: Rag | null, marks: number, available: number): string =>
  value === null
    ? 'nothing was asked yet'
    : `100 × ${marks} ÷ ${available} = ${fourDecimals((100 * marks) / available)}, cut to ${value}: ${rag ?? 'no colour'}`;

export const PREDICTED: Fact = ['Predicted', 'no question is of the topic itself: the value comes from its pre-requisites alone'];

/** '120 ÷ 3 = 40.0000 of 50: 80.0000 %'; undefined: there is none. */
export const meanText = (totals: readonly number[], max: number | null): string | undefined => {
  const sum = totals.reduce((all, total) => all + total, 0);
  const mean = sum / totals.length;
  return totals.length === 0 || !max
    ? undefined
    : `${sum} ÷ ${totals.length} = ${fourDecimals(mean)} of ${max}: ${fourDecimals((100 * mean) / max)} %`;
};
