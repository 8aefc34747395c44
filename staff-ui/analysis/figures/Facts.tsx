import type { ClassHome } from '#api/analysis/analysis.contract';
import type { Thresholds } from '#api/analysis/topics.formula';
import type { ReactNode } from 'react';
import { useAnswerPosition } from '../../../ui/api/ApiProvider.tsx';
import type { Questions } from '../../../ui/api/questions.ts';
import { useMoment } from '../../as-of/useMoment.ts';
import { count, counted, dateTime } from '../../format.ts';
import styles from './Explanations.module.css';

/** What a figure rests on, fact by fact. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, fact: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {facts.map(([name, fact]) => (
      <FactPair key={name} name={name} fact={fact} />
    ))}
  </dl>
);

const FactPair = ({ name, fact }: { readonly name: string; readonly fact: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{fact}</dd>
  </>
);

/** Up to where the log has been read for an answer. */
export const useStand = <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask']): readonly [string, string] => {
  const { asOf } = useMoment();
  const position = useAnswerPosition(name, ask);
  if (asOf !== undefined) return ['As of', `${dateTime(asOf)}: everything that had been stored by then`];
  return ['As of', position === undefined ? 'now' : `now: everything up to position ${count(Number(position))} of the log`];
};

type LeftOut = Pick<ClassHome['completed'][number]['leftOut'][number], 'name' | 'why'>;

const WHY: Readonly<Record<LeftOut['why'], string>> = {
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
