/** Fields shared by several requests. Their messages are shown to people. */
import { z } from 'zod';
import { MAX_LABEL, MAX_UPLOAD_ROWS } from './limits.ts';
import { oneLine, REQUIRED, VISIBLE } from './rules.ts';
import { holdsWebAddress, NO_WEB_ADDRESS } from './web-address.ts';

export const id = z.uuid().toLowerCase();
export const line = z.string().overwrite(oneLine);
export const label = line.min(1, REQUIRED).max(MAX_LABEL).regex(VISIBLE, REQUIRED);
export const isoDate = z.iso.date();
/** Whether a date or instant is in the years 1000 to 3000; databases have no year 0. */
export const isInCalendar = (iso: string): boolean => iso >= '1000' && iso < '3001';
/** The school's own StudentID: text, never a number (00123 stays 00123). */
export const admissionNo = line.min(1, 'Required').max(20).regex(VISIBLE, 'Required');
/** A StudentID as the file of an upload has it. Longer than any in a school it is nobody's, and is listed with those that cannot be found. */
export const admissionNoInFile = line.min(1, 'Required').max(MAX_LABEL).regex(VISIBLE, 'Required');
/**
 * What no honest name holds: control characters except tabs and line breaks, which a paste may bring, and what turns the text around it. In
 * a label it is taken away; the name of a person stands in mails, lists and logs beside others, so there it is refused.
 */
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const TURNING = /[\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/;
const honest = z.string().refine((text) => !TURNING.test(text), 'A name has no control characters. Type it again.');
/** The name that somebody goes by, at most this long; an empty one is `required`. */
export const nameOf = (most: number, required: string) => honest.overwrite(oneLine).min(1, required).max(most).regex(VISIBLE, required);
export const personName = nameOf(50, 'Required');
/** The name of a person as the file of an upload has it: a file of hundreds is not refused for it. */
export const personNameInFile = line.min(1, 'Required').max(50).regex(VISIBLE, 'Required');
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

/** Links of two things, as many as a file may have rows. */
export const linksOf = <Shape extends z.ZodRawShape>(pair: Shape) => z.array(z.strictObject(pair)).min(1).max(MAX_UPLOAD_ROWS);

/** The schema with a rule of rules.ts, which forms ask too. */
export const ruled = <Schema extends z.ZodType>(schema: Schema, wrong: (value: z.output<Schema>) => string | undefined): Schema =>
  schema.check(({ value, issues }) => {
    const message = wrong(value);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  });
