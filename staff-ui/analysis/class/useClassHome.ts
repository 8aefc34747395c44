import type { ClassHome } from '#api/analysis/analysis.contract';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { useMoment } from '../../moment.ts';

/** A class at a glance; undefined: no class. On a page that shows an earlier moment, as of then. */
export const useClassHome = (setId: string | undefined) =>
  useQuestion('class-home', setId === undefined ? undefined : { setId }, useMoment().asOf);

export type Topic = ClassHome['topics'][number];
export type Completed = ClassHome['completed'][number];
