/** Fields that several requests share. Their messages are what a person sees. */
import { z } from 'zod';
import { MAX_LABEL } from './limits.ts';

export const id = z.uuid().toLowerCase();
/** A name that nobody could see is none: joiners, marks of direction, letters that are blank. The empty one has been said already. */
const visible = /^$|(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
/**
 * What a line of text may be, of whatever somebody pasted: on one line; without what nobody sees and what changes how the rest of a page is
 * read (control characters, embeddings, overrides and isolates of direction, spaces without width); its letters composed, because a Mac may
 * send an ü as u and two dots, which no search for ü would find. Joiners and marks of direction stay: Persian, Hindi and Hebrew are
 * written with them. NUL stays too, to be refused.
 */
export const oneLine = (text: string): string =>
  text
    .replace(UNSEEN, '')
    // Not by an expression that looks for blanks around a line break: of a million blanks it would try each.
    .split(LINE_BREAK)
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
    .normalize('NFC');
const LINE_BREAK = /[\t-\r\u0085\u2028\u2029]/;
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  /[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
export const line = z.string().overwrite(oneLine);
export const label = line.min(1, 'Required.').max(MAX_LABEL).regex(visible, 'Required.');
export const isoDate = z.iso.date();
/** The years that the specification allows; a database has no year 0. Of a date or an instant. */
export const isInCalendar = (iso: string): boolean => iso >= '1000' && iso < '3001';
/** The school's own StudentID: text, never a number (00123 stays 00123). */
export const admissionNo = line.min(1, 'Required').max(20).regex(visible, 'Required');
export const personName = line.min(1, 'Required').max(50).regex(visible, 'Required');
/** Copied from a mail, it often has spaces around it. */
export const email = z.string('Invalid e-mail.').trim().meta({ format: 'email' }).pipe(z.email('Invalid e-mail.').max(254));
/** Nobody tells two mailboxes apart by capitals, and no log-in does. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
export const password = z.string().min(8, 'Min 8 characters').max(128);
export const fileName = line.max(255);
