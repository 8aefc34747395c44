import { ProblemError } from '../../common/problems.ts';
import type { Caller } from '../caller.ts';
import { readableYearGroup } from '../scope.ts';

/** The subject of a year group; of this one, if one is named. @throws ProblemError `not-found` */
export const yearGroupIn = async (caller: Caller, yearGroupId: string, subjectId?: string): Promise<string> => {
  const found = await caller.sql((query) => readableYearGroup(query, caller.actor, yearGroupId));
  if (subjectId !== undefined && found.subjectId !== subjectId) throw new ProblemError('not-found', 'There is no such year group.');
  return found.subjectId;
};

/** As the documents have yes and no. */
export const binary = (is: boolean): 0 | 1 => (is ? 1 : 0);
