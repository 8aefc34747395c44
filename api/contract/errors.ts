/** Errors that a page reports, and the log in which an admin finds them. */
import { z } from 'zod';

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

/** The response. `banner`: what to show, and for how long; null: nothing. */
export type Reported = {
  readonly id: string;
  readonly banner: { readonly title: string; readonly text: string; readonly milliseconds: number } | null;
};

/** An error in the admin's school. Newest first, 200 at a time. */
export type LoggedError = {
  readonly id: string;
  /** ISO instant */
  readonly at: string;
  readonly name: string;
  readonly role: string | null;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly status: number | null;
  readonly statusText: string | null;
};

/** GET /api/errors?before= */
export type LoggedErrors = { readonly errors: readonly LoggedError[] };

/** GET /api/status: for admins. */
export type Status = {
  readonly health: { readonly status: string; readonly problems: readonly string[] };
  readonly mail: { readonly waiting: number; readonly failing: number; readonly givenUp: number; readonly trouble: string | null };
  readonly errorsToday: number;
};
