/** Requests and responses of the front door (`/api/door/*`), documented in docs/accounts.md. */
import { z } from 'zod';
import { CODE_LENGTH, doorWords, EARLIEST_BIRTHDAY, isJoinCode, isUsername, MIN_PASSWORD, MIN_SCHOOL_NAME } from './door-words.ts';
import { accountName, email, id, isoDate, mailed, nameOf } from './fields.ts';

/** The password of an existing account: no rules, it is only right or wrong. */
const knownPassword = z.string().min(1, doorWords.required).max(128);
const newPassword = z.string().min(1, doorWords.required).min(MIN_PASSWORD, doorWords.passwordShort).max(128);
/** A token of any wrong form, such as one that a mail program has cut, is just a link that does not work. */
const token = z.string().max(1_000, doorWords.linkDead);
/** A solved challenge of /api/door/robot-check, as produced by ALTCHA's widget: base64 of JSON. */
const robot = z.string(doorWords.robot).min(1, doorWords.robot).max(10_000);
const twice = { password: newPassword, confirmation: z.string().max(128) };
const same = <T extends { password: string; confirmation: string }>(schema: z.ZodType<T>): z.ZodType<T> =>
  schema.refine(({ password, confirmation }) => password === confirmation, { path: ['confirmation'], error: doorWords.passwordsDiffer });

/** Any invalid input is a failed log-in, also text that the database cannot store. */
export const logIn = z.object({
  email: z
    .string()
    .trim()
    .max(254)
    .refine((email) => !email.includes('\0')),
  password: z.string().max(128),
});
export const register = same(
  z.strictObject({ name: mailed(nameOf(50, doorWords.required)), email, ...twice, terms: z.literal(true, doorWords.termsMissing), robot }),
);
export const verify = z.strictObject({ token });
export const finalise = z.strictObject({
  token,
  email,
  password: knownPassword,
  school: mailed(nameOf(200, doorWords.required).min(MIN_SCHOOL_NAME, doorWords.schoolShort)),
});
export const forgottenPassword = z.strictObject({ email });
export const resetPassword = same(z.strictObject({ token, ...twice }));
export const activation = z.strictObject({ token });
export const activate = same(z.strictObject({ token, name: accountName, ...twice }));

const joining = z.string().min(20).max(100);
export const joinCode = z.strictObject({
  code: z.string().length(CODE_LENGTH, doorWords.wrongCode).refine(isJoinCode, doorWords.wrongCode),
});
export const joinBirthday = z.strictObject({
  joining,
  dateOfBirth: isoDate.refine((date) => date >= EARLIEST_BIRTHDAY && date <= new Date().toISOString().slice(0, 10), doorWords.noBirthday),
});
export const joinName = z.strictObject({ joining, choice: z.string().min(1).max(100) });
export const joinAccount = same(
  z.strictObject({
    joining,
    /** The complete address, or only the part before the @ if the school has a domain. */
    email: z.string().trim().min(1, doorWords.required).max(254),
    ...twice,
  }),
);

/** Two-step sign-in: a code of an authenticator or of recovery, and the password of one's own account. */
export const twoStepCode = z.strictObject({ code: z.string().max(64) });
export const twoStepPassword = z.strictObject({ password: knownPassword });

export const unlock = z.strictObject({ password: knownPassword });
export const changeProfile = z
  .strictObject({
    name: accountName.optional(),
    email: email.optional(),
    /** Empty: no change. */
    password: z.union([z.literal(''), newPassword]).optional(),
    confirmation: z.string().max(128).optional(),
  })
  .refine(({ password = '', confirmation = '' }) => password === confirmation, {
    path: ['confirmation'],
    error: doorWords.passwordsDiffer,
  });

export const endSession = z.strictObject({ sessionId: id });
export const endSessionOf = z.strictObject({ accountId: id, sessionId: id });

// Staff accounts and joining codes: commands of an admin
export const inviteStaff = z.strictObject({
  name: accountName,
  email,
  role: z.enum(['admin', 'leader', 'teacher', 'auditor'], doorWords.selectRole),
  teachers: z.array(z.strictObject({ subjectId: id, teacherId: id })).default([]),
});
export const inviteStaffAgain = z.strictObject({ accountId: id });
export const resetStudentAccount = z.strictObject({ accountId: id });
export const issueJoinCode = z.strictObject({ subjectId: id });
export const changeJoinDomain = z.strictObject({
  subjectId: id,
  /** null or empty: students give a whole address. */
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^@/, ''))
    .refine((text) => text === '' || /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(text), doorWords.invalidDomain)
    .nullable(),
});

/** The e-mail address of a student who joins, made from the username if the school has a domain. Undefined: invalid. */
export const joinEmail = (typed: string, domain: string | null): string | undefined => {
  if (domain !== null) return isUsername(typed) ? `${typed}@${domain}`.toLowerCase() : undefined;
  return email.safeParse(typed).success ? typed.toLowerCase() : undefined;
};

/** GET /api/door/site: public information for every page. Only what is set. */
export type Site = {
  readonly operator: {
    readonly name?: string;
    readonly email?: string;
    readonly address?: string;
    readonly links?: readonly { readonly name: string; readonly url: string }[];
  };
  readonly licensedTo?: string;
  /** Social sign-in, a popup of /api/door/social; absent if not available. */
  readonly social?: { readonly name: string };
};
/** Success, with a message for the user. */
export type Done = { readonly message: string };
export type Verified =
  | { readonly kind: 'registration'; readonly email: string; readonly name: string }
  | { readonly kind: 'email'; readonly message: string };
export type Invited = { readonly name: string; readonly email: string; readonly school: string; readonly role: string };
export type JoinSchool = { readonly joining: string; readonly school: string; readonly subject: string; readonly domain: string | null };
export type JoinChoices = { readonly choices: readonly { readonly choice: string; readonly name: string }[] };
export type Profile = {
  readonly name: string;
  readonly email: string;
  /** A new address whose owner has not opened the link yet. */
  readonly newEmail: string | null;
  readonly role: string;
  readonly school: string;
  /** ISO instant until which changes are allowed; null: locked. */
  readonly unlockedUntil: string | null;
  readonly twoStep: boolean;
  readonly mayUseTwoStep: boolean;
};
/** An `otpauth:` address for an authenticator, and recovery codes. Neither is shown again. */
export type TwoStepStarted = { readonly totpURI: string; readonly backupCodes: readonly string[] };
export type RecoveryCodes = Pick<TwoStepStarted, 'backupCodes'>;
/** Where an account is signed in. */
export type Sessions = { readonly sessions: readonly SessionShown[] };
export type SessionShown = {
  /** Opens nothing. */
  readonly sessionId: string;
  /** Such as Firefox on Windows. */
  readonly browser: string;
  /** The beginning of the network address; null: unknown. */
  readonly network: string | null;
  /** ISO instants; `lastUsed` to the minute or two. */
  readonly since: string;
  readonly lastUsed: string;
  /** The one that asks. */
  readonly isThis: boolean;
};
/** The profile is unlocked until this instant. */
export type Unlocked = { readonly unlockedUntil: string };
/** `twoFactorRedirect`: the password was right, and the account requires a second step. */
export type SignedIn = { readonly twoFactorRedirect?: boolean };
/** The link that an admin gives to the student: shown once, and mailed. */
export type StudentReset = { readonly link: string };
/** `link`: the page that asks for the code, with the code. */
export type JoinCode = {
  readonly code: string | null;
  readonly link: string | null;
  readonly domain: string | null;
  readonly issuedAt: string | null;
  /** Dates of birth that somebody found in the last day without joining afterwards: slips, or guesses. Left out: none. */
  readonly unfollowed?: number;
};
