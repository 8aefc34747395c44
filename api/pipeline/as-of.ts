import { z } from 'zod';
import { isInCalendar } from '../contract/fields.ts';
import { ProblemError } from '../common/problems.ts';

/**
 * The moment of a query: `?asOf=2026-11-21T09:30:00Z`, an ISO 8601 instant with its offset. Returned in UTC; undefined: now.
 *
 * @throws ProblemError `invalid-moment`
 */
export const momentAsked = (asOf: string | undefined): string | undefined => {
  if (asOf === undefined) return undefined;
  // A plus sign that was not encoded arrives as a space.
  const text = asOf.trim().replace(' ', '+');
  if (!instant.safeParse(text).success) {
    throw invalid('This is not a moment: write date, time and zone, such as 2026-11-21T09:30:00Z.');
  }
  const time = Date.parse(text);
  if (time > Date.now()) throw invalid('This moment is in the future: choose one that has passed.');
  return new Date(time).toISOString();
};

const instant = z.iso.datetime({ offset: true }).refine(isInCalendar);

const invalid = (message: string): ProblemError => new ProblemError('invalid-moment', message, { errors: [{ path: 'asOf', message }] });
