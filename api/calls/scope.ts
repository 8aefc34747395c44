import type { Actor } from '../actor.ts';
import { mayReadSubject } from '../actor.ts';
import type { RunSql } from '../common/facts.ts';
import type { Caller } from './caller.ts';
import { notYourSubject, ProblemError } from '../common/problems.ts';

/**
 * Whether somebody on the staff may read what a call names, for calls with SQL of their own. What is not there, and what is of a subject
 * that is not theirs, is answered alike (404); a class of their subject that is not theirs is refused (403). A student may read none of it.
 */

type OfSet = { readonly setId: string; readonly subjectId: string; readonly yearGroupId: string; readonly schemeId: string };

/** @throws ProblemError `forbidden`, `not-found` */
export const readableSubject = async (query: RunSql, actor: Actor, subjectId: string): Promise<void> => {
  if (!mayReadSubject(actor, subjectId)) throw notYourSubject();
  const found = await query(`select from subjects where school_id = $1 and subject_id = $2`, [subjectId]);
  if (found.length === 0) throw new ProblemError('not-found', 'There is no such subject.');
};

/** The same, before a list of its records is asked. @throws ProblemError `forbidden`, `not-found` */
export const ofSubject = (caller: Pick<Caller, 'actor' | 'sql'>, subjectId: string): Promise<void> =>
  caller.sql((query) => readableSubject(query, caller.actor, subjectId));

/** Rows of a subject. $1 school; $2 subject. @throws ProblemError `forbidden`, `not-found` */
export const rowsOfSubject = <Row extends object>(caller: Pick<Caller, 'actor' | 'sql'>, subjectId: string, text: string): Promise<Row[]> =>
  caller.sql(async (query) => {
    await readableSubject(query, caller.actor, subjectId);
    return query<Row>(text, [subjectId]);
  });

/** Rows of a year group. $1 school; $2 year group. @throws ProblemError `not-found` */
export const rowsOfYearGroup = <Row extends object>(
  caller: Pick<Caller, 'actor' | 'sql'>,
  yearGroupId: string,
  text: string,
): Promise<Row[]> =>
  caller.sql(async (query) => {
    await readableYearGroup(query, caller.actor, yearGroupId);
    return query<Row>(text, [yearGroupId]);
  });

/** A class, of which a teacher reads their own. @throws ProblemError `not-found`, `not-your-set` */
export const readableSet = async (query: RunSql, actor: Actor, setId: string): Promise<OfSet> => {
  const set = await one<OfSet>(
    query,
    actor,
    `select set_id as "setId", subject_id as "subjectId", year_group_id as "yearGroupId", scheme_id as "schemeId"
       from sets where school_id = $1 and set_id = $2 and not deleted`,
    setId,
    'There is no such class.',
  );
  if (actor.role === 'teacher' && !actor.setIds.includes(setId)) throw new ProblemError('not-your-set', 'This class is not one of yours.');
  return set;
};

/** @throws ProblemError `not-found` */
export const readableTest = (query: RunSql, actor: Actor, testId: string): Promise<{ testId: string; subjectId: string }> =>
  one(
    query,
    actor,
    `select test_id as "testId", subject_id as "subjectId" from tests where school_id = $1 and test_id = $2`,
    testId,
    'There is no such assessment.',
  );

/** @throws ProblemError `not-found` */
export const readableYearGroup = (query: RunSql, actor: Actor, yearGroupId: string): Promise<{ yearGroupId: string; subjectId: string }> =>
  one(
    query,
    actor,
    `select year_group_id as "yearGroupId", subject_id as "subjectId" from year_groups where school_id = $1 and year_group_id = $2`,
    yearGroupId,
    'There is no such year group.',
  );

const one = async <Row extends { readonly subjectId: string }>(
  query: RunSql,
  actor: Actor,
  text: string,
  id: string,
  missing: string,
): Promise<Row> => {
  const [found] = await query<Row>(
    `select named.* from (${text}) named
       join subjects s on s.school_id = $1 and s.subject_id = named."subjectId"`,
    [id],
  );
  if (!found || !mayReadSubject(actor, found.subjectId)) throw new ProblemError('not-found', missing);
  return found;
};
