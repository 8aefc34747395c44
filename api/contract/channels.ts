/**
 * - `marks`: of a subject; with a part, of one of its year groups or assessments (ids), or what its list of `uploads` shows
 * - `structure`: of a subject (year groups, sets, teachers, assessments, topics)
 * - `prior`: scores of terminal exams of a subject
 * - `tasks`: feedback tasks and grade profiles of a subject
 * - `subjects` of the school, and who has which; its `roster`, its `staff`
 */
export type ChannelKind = 'marks' | 'structure' | 'prior' | 'tasks' | 'subjects' | 'roster' | 'staff';
/** A kind alone: of every subject. */
export type Channel = ChannelKind | `${'marks' | 'structure' | 'prior' | 'tasks'}:${string}` | `marks:${string}/${string}`;

/** Any part of a subject's marks may have changed. */
export const everyPart = (subjectId: string): Channel => `marks:${subjectId}/*`;

/** What an answer of unknown contents follows: any change. */
export const ANY_CHANGE = '*';

/** The response header with the channels of an answer, separated by spaces. */
export const CHANNELS_HEADER = 'X-Channels';

/** The request header with the id that the page has chosen for its live connection (`/api/live?line=`). */
export const LINE_HEADER = 'X-Line';
/** The response header of an answer whose changes are sent over that connection: its name there, and the epoch of the server. */
export const FOLLOW_HEADER = 'X-Follow';

/** RFC 7240, of the request header `Prefer`: rather than to wait for an earlier moment, to be told how far it is. */
export const RESPOND_ASYNC = 'respond-async';

/** Whether a change on one channel concerns an answer that follows the other. */
export const touches = (followed: string, changed: string): boolean =>
  followed === changed ||
  followed === ANY_CHANGE ||
  followed === kindOf(changed) ||
  changed === kindOf(followed) ||
  (changed.endsWith('/*') && followed.startsWith(changed.slice(0, -1)));

const kindOf = (channel: string): string => channel.replace(/:.*$/u, '');
