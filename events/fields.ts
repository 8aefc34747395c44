/** Fields that events of several kinds share. */
import { z } from 'zod';

/** Our own uuid of a school, subject, set, student, ... */
export const id = z.uuid().lowercase();
/** A name of something that is not a person. */
export const label = z.string().min(1).max(200);
/** YYYY-MM-DD */
export const isoDate = z.iso.date();
