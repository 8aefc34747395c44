/** Fields that several requests share. Their messages are what a person sees. */
import { z } from 'zod';
import { MAX_LABEL } from './limits.ts';

export const id = z.uuid().toLowerCase();
/** A name that nobody could see is none: spaces without width, marks of direction. The empty one has been said already. */
const visible = /^$|[\p{L}\p{N}\p{P}\p{S}]/u;
/** On one line, and its letters composed: a Mac may send an ü as u and two dots, which no search for ü would find. */
const line = z
  .string()
  .normalize('NFC')
  .overwrite((text) => text.replace(/\s*[\t-\r\u0085\u2028\u2029]\s*/g, ' '))
  .trim();
export const label = line.min(1, 'Required.').max(MAX_LABEL).regex(visible, 'Required.');
export const isoDate = z.iso.date();
/** The years that the specification allows; a database has no year 0. Of a date or an instant. */
export const isInCalendar = (iso: string): boolean => iso >= '1000' && iso < '3001';
/** The school's own StudentID: text, never a number (00123 stays 00123). */
export const admissionNo = line.min(1, 'Required').max(20).regex(visible, 'Required');
export const personName = line.min(1, 'Required').max(50).regex(visible, 'Required');
/** Copied from a mail, it often has spaces around it. */
export const email = z.string('Invalid e-mail.').trim().meta({ format: 'email' }).pipe(z.email('Invalid e-mail.').max(254));
export const password = z.string().min(8, 'Min 8 characters').max(128);
export const fileName = z.string().max(255);
