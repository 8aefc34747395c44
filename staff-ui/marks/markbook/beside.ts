import type { ResidualsAnswer } from '#api/analysis/tests.contract';
import type { Markbook } from '#api/marks/marks.contract';
import { difference, oneDecimal } from '../../format.ts';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { readPreference, writePreference } from '../../../ui/site/preferences.ts';
import { useMoment } from '../../moment.ts';

/** Columns beside the residual, for whoever wants them: what the difference of two ranks cannot say. */
export type Beside = 'regression' | 'class' | 'standardised' | 'percentile';
export const besides: readonly { readonly of: Beside; readonly label: string; readonly note: string }[] = [
  { of: 'regression', label: 'Regression residual', note: 'score − usual for the prior' },
  { of: 'class', label: 'Class mean of it', note: '95 % interval' },
  { of: 'standardised', label: 'Standardised score', note: 'this cohort, not national' },
  { of: 'percentile', label: 'Percentile rank', note: 'this cohort, not national' },
];

export type BesideFigures = {
  readonly regression: number | null;
  readonly standardised: number;
  readonly percentile: number;
  /** Of the class at the moment of the ranking; `name`: null if that class is gone. */
  readonly class: (ResidualsAnswer['sets'][number] & { readonly name: string | null }) | undefined;
};

/** By student; whoever is not ranked has none. */
export const besideOf = ({ sets, students }: ResidualsAnswer, book: Pick<Markbook, 'sets'>): ReadonlyMap<string, BesideFigures> => {
  const names = new Map(book.sets.map(({ setId, name }) => [setId, name]));
  const ofSets = new Map(sets.map((set) => [set.setId, { ...set, name: names.get(set.setId) ?? null }]));
  return new Map(
    students.map(({ studentId, setId, residual, standardised, percentile }) => [
      studentId,
      { regression: residual, standardised, percentile, class: ofSets.get(setId) },
    ]),
  );
};

export const besideValue = (figures: BesideFigures | undefined, of: Beside): number | null =>
  of === 'class' ? (figures?.class?.mean ?? null) : (figures?.[of] ?? null);

/** Where there is no line of scores by priors. */
export const NO_LINE = 'Regression residual: none, because fewer than 10 students have a score and a prior, or all priors are the same.';

/** '+3.1', '+0.6 (−0.4 to +1.6)', '112', '95.0' */
export const besideText = (figures: BesideFigures | undefined, of: Beside): string => {
  const value = besideValue(figures, of);
  if (value === null) return '';
  if (of === 'standardised') return String(value);
  if (of === 'percentile') return oneDecimal(value);
  const range = of === 'class' ? figures?.class : undefined;
  return range ? `${difference(value)} (${difference(range.from)} to ${difference(range.to)})` : difference(value);
};

const NAME = 'marktrail.markbook.beside';

/** Whether the columns beside the residual are shown, as this device remembers it, and what is in them. Nobody asks for what is not shown. */
export const useBeside = ({ yearGroupId, ranked, sets, rows }: Markbook) => {
  const [isChosen, setChosen] = useState(() => readPreference(NAME) === 'shown');
  const isShown = isChosen && ranked !== undefined && !rows;
  const { data } = useQuestion('residuals', isShown ? { yearGroupId, taskId: ranked.taskId } : undefined, useMoment().asOf);
  const answer = isShown && data?.taskId === ranked.taskId ? data : undefined;
  return {
    isShown,
    choose: (next: boolean) => {
      writePreference(NAME, next ? 'shown' : 'hidden');
      setChosen(next);
    },
    answer,
    figures: answer && besideOf(answer, { sets }),
  };
};
