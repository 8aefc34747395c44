import type { z } from 'zod';
import type { Thing } from '../common/about.ts';
import { IDS } from '../common/about.ts';
import { ProblemError } from '../common/problems.ts';
import { namedValues } from '../common/named-values.ts';

/** Names of parameters, tables, columns and keys: what a call does not list is refused, with its name and those that it knows. */
export type Kind = 'parameter' | 'table' | 'column' | 'key';

/** @throws ProblemError `not-listed` */
export const notListed = (kind: Kind, name: string, listedNames: readonly string[]): ProblemError =>
  new ProblemError('not-listed', `There is no ${kind} ${name.slice(0, 50)} here.`, {
    detail: listedNames.length === 0 ? `No ${kind} is known.` : `Known: ${listedNames.join(', ')}.`,
  });

/** The documents write SubjectId and SubjectID, taskID and TaskID: either is taken. @throws ProblemError `not-listed` */
export const listed = <Name extends string>(kind: Kind, name: string, listedNames: readonly Name[]): Name => {
  const found = listedNames.find((one) => one === name) ?? listedNames.find((one) => one.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw notListed(kind, name, listedNames);
  return found;
};

/** With the names as the schema has them. @throws ProblemError `not-listed` */
export const withListedNames = (
  kind: Kind,
  { shape }: z.ZodObject,
  sent: Iterable<readonly [name: string, value: unknown]>,
): Record<string, unknown> => {
  const listedNames = Object.keys(shape);
  const values = new Map<string, unknown>();
  for (const [sentAs, value] of sent) {
    const name = listed(kind, sentAs, listedNames);
    if (values.has(name)) throw namedTwice(kind, name);
    values.set(name, value);
  }
  return Object.fromEntries(values);
};

/** What `work` refuses of a part of the request, by the path of that part. @throws ProblemError as `work` does */
export const at = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw withPaths(error, (one) => (one === '' ? path : `${path}.${one}`));
  }
};

/** The same refusal, with what is wrong where `pathOf` says. */
export const withPaths = ({ problem }: ProblemError, pathOf: (path: string) => string, stored?: readonly string[]): ProblemError => {
  const { code, title, detail, errors = [] } = problem;
  return new ProblemError(code, title, {
    ...(detail === undefined ? {} : { detail }),
    errors: errors.map((one) => ({ ...one, path: pathOf(one.path) })),
    ...(stored === undefined ? {} : { stored }),
  });
};

/** SubjectID beside SubjectId: which of them is meant cannot be guessed. */
export const namedTwice = (kind: Kind, name: string): ProblemError => new ProblemError('not-listed', `The ${kind} ${name} is there twice.`);

/** What the ids are of, by their documented names in lower case. */
const THINGS: Readonly<Record<string, Thing>> = {
  subjectid: 'subject',
  // Of the calls about topics.
  data: 'subject',
  yeargroupid: 'yearGroup',
  setid: 'class',
  testid: 'assessment',
  questionid: 'question',
  taskid: 'task',
  uniqueid: 'student',
  studentid: 'student',
  sowid: 'scheme',
  sowtopicid: 'schemeTopic',
  endpointid: 'exam',
};

/** Parameters by the names that ids have in every other input, as far as they are ids. */
export const idsIn = (asks: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(asks).flatMap(([name, value]): (readonly [string, unknown])[] => {
      const thing = THINGS[name.toLowerCase()];
      return thing === undefined ? [] : [[IDS[thing], value]];
    }),
  );

/** Values by names that are not looked up yet. @throws ProblemError `not-listed`, for a name that no object can hold safely */
export const valuesBy = <Value extends z.ZodType>(kind: Kind, value: Value) =>
  namedValues(value, (name) => new ProblemError('not-listed', `There is no ${kind} ${name} here.`));
