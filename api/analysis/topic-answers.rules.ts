import type { ClassHome } from './analysis.contract.ts';
import { ifOpen } from './group.formula.ts';
import type { BearingMarks } from './topic-figures.formula.ts';

/** A question that bears on a topic, as answers have it. */
export const bearingAnswer = ({
  contested,
  aboveMaximum,
  isOfTopic: _,
  ...question
}: BearingMarks): ClassHome['topics'][number]['questions'][number] => ({ ...question, ...ifOpen({ contested, aboveMaximum }) });
