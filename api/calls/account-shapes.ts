import { z } from 'zod';
import { id } from '../contract/fields.ts';

/** What the calls about sign-in and accounts take and answer, which api/http/routes/account-calls.ts reads too. */
export const tokenAsked = z.strictObject({
  grant_type: z.literal('password', 'Only the password grant is known.'),
  client_id: z.union([z.string().max(100), z.int()]).optional(),
  client_secret: z.string().max(1_000).optional(),
  username: z.string().max(254),
  password: z.string().max(128),
  scope: z.string().max(100).optional(),
});
export const tokenGiven = z.object({ token_type: z.literal('Bearer'), expires_in: z.int(), access_token: z.string() });
export const loggedOut = z.object({ name: z.string() });
export const passwordTyped = z.strictObject({ password: z.string().min(1, 'Required.').max(128) });
export const verifiedUntil = z.object({ verified: z.literal(true), until: z.string() });
export const profileTyped = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  password: z.string().optional(),
  password_confirmation: z.string().optional(),
});
export const forgotten = z.strictObject({ email: z.string().max(300) });
export const resetTyped = z.strictObject({
  email: z.string().max(300).optional(),
  password: z.string().max(128),
  password_confirmation: z.string().max(128),
  token: z.string().max(300),
});
export const errorTyped = z.strictObject({
  user: z.string().max(1_000).nullish(),
  school: z.string().max(1_000).nullish(),
  file: z.string().max(100_000).nullish(),
  line: z.int().min(0).max(10_000_000).nullish(),
  message: z.string().max(100_000),
  status: z.int().min(0).max(999).nullish(),
  status_text: z.string().max(100_000).nullish(),
});
export const codeAsked = z.strictObject({
  subject: id,
  code: z.string().max(100).optional(),
  domain: z.string().max(300).optional(),
  forcenew: z.string().max(10).optional(),
});
export const feedbackAsked = z.strictObject({
  name: z.string().max(1_000).optional(),
  task_id: id,
  expiry: z.string().max(100).optional(),
});

/** `DoB`: YYYY-MM-DD. */
export const codeTyped = z.strictObject({ code: z.string().max(100), DoB: z.string().max(30).optional() });
export const joinTyped = z.strictObject({
  code: z.string().max(100).optional(),
  name: z.string().max(300).optional(),
  email: z.string().max(254),
  password: z.string().max(128),
  password_confirmation: z.string().max(128),
});
export const robotTyped = z.strictObject({ secret: z.string().max(1_000).optional(), response: z.string().max(10_000) });
export const registerTyped = z.strictObject({
  name: z.string().max(300),
  email: z.string().max(300),
  password: z.string().max(128),
  password_confirmation: z.string().max(128),
});
export const schoolTyped = z.strictObject({
  school: z.string().max(1_000),
  email: z.string().max(300),
  password: z.string().max(128),
  token: z.string().max(1_000),
});
