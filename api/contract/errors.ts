/** Errors that a page reports, and the log in which an admin finds them. */
import { z } from 'zod';
import type { Answer } from './answer.ts';
import { instant } from './answer.ts';

const text = (most: number) =>
  z
    .string()
    .transform((value) => value.replaceAll('\0', '').slice(0, most).toWellFormed())
    .optional();

/** POST /api/errors. The server adds who reported it; longer texts are truncated. */
export const errorReport = z.strictObject({
  message: z
    .string()
    .max(100_000)
    .transform((value) => value.replaceAll('\0', '').slice(0, 4_000).toWellFormed()),
  file: text(500),
  line: z.int().min(0).max(10_000_000).optional(),
  status: z.int().min(0).max(999).optional(),
  statusText: text(200),
});
export type ErrorReport = z.output<typeof errorReport>;

export const reported = z.object({
  id: z.string(),
  banner: z
    .object({ title: z.string(), text: z.string(), milliseconds: z.int() })
    .nullable()
    .describe('What to show, and for how long; null: nothing.'),
});
export type Reported = Answer<typeof reported>;

/** Errors in the admin's school. Newest first, 200 at a time. */
export const loggedErrors = z.object({
  errors: z.array(
    z.object({
      id: z.string(),
      at: instant,
      name: z.string(),
      role: z.string().nullable(),
      message: z.string(),
      file: z.string().nullable(),
      line: z.int().nullable(),
      status: z.int().nullable(),
      statusText: z.string().nullable(),
    }),
  ),
});
export type LoggedErrors = Answer<typeof loggedErrors>;
export type LoggedError = LoggedErrors['errors'][number];

/** GET /api/status: for admins. */
export const status = z.object({
  health: z.object({ status: z.string(), problems: z.array(z.string()), facts: z.array(z.string()) }),
  mail: z.object({ waiting: z.int(), failing: z.int(), givenUp: z.int(), trouble: z.string().nullable() }),
  errorsToday: z.int(),
});
export type Status = Answer<typeof status>;
