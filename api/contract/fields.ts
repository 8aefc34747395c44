/** Fields shared by several requests. Their messages are shown to people. */
import { z } from 'zod';
import { MAX_LABEL } from './limits.ts';
import { holdsWebAddress, NO_WEB_ADDRESS } from './web-address.ts';

export const id = z.uuid().toLowerCase();
/** At least one visible character, not only joiners, direction marks or blank letters. Empty text has a message of its own. */
const visible = /^$|(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
/**
 * Cleans pasted text: puts it on one line; removes what is invisible or changes the direction of the rest of a page (control characters,
 * embeddings, overrides and isolates, zero-width spaces); composes letters, because a Mac may send an ü as u and two dots, which a search
 * for ü would not find. Keeps joiners and direction marks, which Persian, Hindi and Hebrew need, and NUL, which is refused later.
 */
export const oneLine = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .replace(UNSEEN, '')
        // Not with an expression for blanks around a line break, which would take quadratic time for a million blanks.
        .split(LINE_BREAK)
        .map((part) => part.trim())
        .filter(Boolean)
        .join(' ')
        .normalize('NFC');
/** Nothing in it would change: most of a file's StudentIDs, of which there may be a hundred thousand. */
const PLAIN = /^[!-~]+$/;
const LINE_BREAK = /[\t-\r\u0085\u2028\u2029]/;
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  /[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
export const line = z.string().overwrite(oneLine);
export const label = line.min(1, 'Required.').max(MAX_LABEL).regex(visible, 'Required.');
export const isoDate = z.iso.date();
/** Whether a date or instant is in the years that the specification allows; databases have no year 0. */
export const isInCalendar = (iso: string): boolean => iso >= '1000' && iso < '3001';
/** The school's own StudentID: text, never a number (00123 stays 00123). */
export const admissionNo = line.min(1, 'Required').max(20).regex(visible, 'Required');
/** A StudentID as the file of an upload has it. Longer than any in a school it is nobody's, and is listed with those that cannot be found. */
export const admissionNoInFile = line.min(1, 'Required').max(MAX_LABEL).regex(visible, 'Required');
/**
 * What no honest name holds: control characters except tabs and line breaks, which a paste may bring, and what turns the text around it. In
 * a label it is taken away; the name of a person stands in mails, lists and logs beside others, so there it is refused.
 */
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const TURNING = /[\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/;
const honest = z.string().refine((text) => !TURNING.test(text), 'A name has no control characters. Type it again.');
/** The name that somebody goes by, at most so long; empty it is `required`. */
export const nameOf = (most: number, required: string) => honest.overwrite(oneLine).min(1, required).max(most).regex(visible, required);
export const personName = nameOf(50, 'Required');
/** The name of a person as the file of an upload has it: a file of hundreds is not refused for it. */
export const personNameInFile = line.min(1, 'Required').max(50).regex(visible, 'Required');
/** A name in mails, which must not lead anywhere else. */
export const mailed = (name: z.ZodString) => name.refine((text) => !holdsWebAddress(text), NO_WEB_ADDRESS);
export const accountName = mailed(personName);
export const schoolName = mailed(label);
/** Trimmed, because addresses copied from a mail often have spaces around them. */
export const email = z.string('Invalid e-mail.').trim().meta({ format: 'email' }).pipe(z.email('Invalid e-mail.').max(254));
/** Ignores case, as mailboxes and log-ins do. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
export const password = z.string().min(8, 'Min 8 characters').max(128);
export const fileName = line.max(255);
