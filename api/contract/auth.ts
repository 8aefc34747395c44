/** Requests and responses of `/api/door/*`, documented in docs/accounts.md. */
import { z } from 'zod';
import type { Answer } from './answer.ts';
import { instant } from './answer.ts';
import {
  CODE_LENGTH,
  authMessages,
  EARLIEST_BIRTHDAY,
  isJoinCode,
  isUsername,
  MIN_PASSWORD,
  MIN_SCHOOL_NAME,
  MOST_NAME,
  MOST_PASSWORD,
  MOST_TOKEN_DAYS,
} from './auth-messages.ts';
import { accountName, email, id, isoDate, mailed, nameOf } from './fields.ts';

/** The password of an existing account: no rules, it is only right or wrong. */
const knownPassword = z.string().min(1, authMessages.required).max(MOST_PASSWORD);
const newPassword = z.string().min(1, authMessages.required).min(MIN_PASSWORD, authMessages.passwordShort).max(MOST_PASSWORD);
/** A token of any wrong form, such as one that a mail program has cut, is just a link that does not work. */
const token = z.string().max(1_000, authMessages.linkDead);
/** A solved challenge of /api/door/robot-check, as produced by ALTCHA's widget: base64 of JSON. */
const robot = z.string(authMessages.robot).min(1, authMessages.robot).max(10_000);
const typedTwice = { password: newPassword, confirmation: z.string().max(MOST_PASSWORD) };
const same = <T extends { password: string; confirmation: string }>(schema: z.ZodType<T>): z.ZodType<T> =>
  schema.refine(({ password, confirmation }) => password === confirmation, { path: ['confirmation'], error: authMessages.passwordsDiffer });

/** Any invalid input is a failed log-in, also text that the database cannot store. */
export const logIn = z.object({
  email: z
    .string()
    .trim()
    .max(254)
    .refine((email) => !email.includes('\0')),
  password: z.string().max(MOST_PASSWORD),
});
export const register = same(
  z.strictObject({
    name: mailed(nameOf(MOST_NAME, authMessages.required)),
    email,
    ...typedTwice,
    terms: z.literal(true, authMessages.termsMissing),
    robot,
  }),
);
export const verify = z.strictObject({ token });
export const finalise = z.strictObject({
  token,
  email,
  password: knownPassword,
  school: mailed(nameOf(200, authMessages.required).min(MIN_SCHOOL_NAME, authMessages.schoolShort)),
});
export const forgottenPassword = z.strictObject({ email });
export const resetPassword = same(z.strictObject({ token, ...typedTwice }));
export const activation = z.strictObject({ token });
export const activate = same(z.strictObject({ token, name: accountName, ...typedTwice }));

const joining = z.string().min(20).max(100);
export const joinCode = z.strictObject({
  code: z.string().length(CODE_LENGTH, authMessages.wrongCode).refine(isJoinCode, authMessages.wrongCode),
});
export const joinBirthday = z.strictObject({
  joining,
  dateOfBirth: isoDate.refine(
    (date) => date >= EARLIEST_BIRTHDAY && date <= new Date().toISOString().slice(0, 10),
    authMessages.noBirthday,
  ),
  /** How many seconds the request may be kept until there is a place. */
  patience: z.int().min(0).max(10).exactOptional(),
});
export const joinName = z.strictObject({ joining, choice: z.string().min(1).max(100) });
export const joinAccount = same(
  z.strictObject({
    joining,
    /** The complete address, or only the part before the @ if the school has a domain. */
    email: z.string().trim().min(1, authMessages.required).max(254),
    ...typedTwice,
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
    confirmation: z.string().max(MOST_PASSWORD).optional(),
  })
  .refine(({ password = '', confirmation = '' }) => password === confirmation, {
    path: ['confirmation'],
    error: authMessages.passwordsDiffer,
  });

/** A bearer token, for a program: at most as long as one that a password is given for. */
export const makeToken = z.strictObject({
  name: nameOf(MOST_NAME, authMessages.required),
  days: z.int().min(1, authMessages.tokenDays).max(MOST_TOKEN_DAYS, authMessages.tokenDays).default(MOST_TOKEN_DAYS),
});

export const endSession = z.strictObject({ sessionId: id });
export const endSessionOf = z.strictObject({ accountId: id, sessionId: id });

// Staff accounts and joining codes: commands of an admin
export const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor'], authMessages.selectRole);
/** Who looks at a page that is open to everybody. */
export const visitor = z.object({
  role: z
    .enum([...staffRole.options, 'student'])
    .nullable()
    .describe('null: nobody is logged in'),
});
export type Visitor = Answer<typeof visitor>;
export const inviteStaff = z.strictObject({
  name: accountName,
  email,
  role: staffRole,
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
    .refine((text) => text === '' || /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(text), authMessages.invalidDomain)
    .nullable(),
});

/** The e-mail address of a student who joins, made from the username if the school has a domain. Undefined: invalid. */
export const joinEmail = (typed: string, domain: string | null): string | undefined => {
  if (domain !== null) return isUsername(typed) ? `${typed}@${domain}`.toLowerCase() : undefined;
  return email.safeParse(typed).success ? typed.toLowerCase() : undefined;
};

/** Public information for every page. Only what is set. */
export const site = z.object({
  operator: z.object({
    name: z.string().exactOptional(),
    email: z.string().exactOptional(),
    address: z.string().exactOptional(),
    links: z.array(z.object({ name: z.string(), url: z.string() })).exactOptional(),
  }),
  licensedTo: z.string().exactOptional(),
  social: z.object({ name: z.string() }).exactOptional().describe('Social sign-in, a popup of /api/door/social; absent if not available.'),
  registrationClosed: z.string().exactOptional().describe('Why no new school registers here; absent: it can.'),
});
export type Site = Answer<typeof site>;
/** Success, with a message for the user. */
export const done = z.object({ message: z.string() });
export type Done = Answer<typeof done>;
export const verified = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('registration'), email: z.string(), name: z.string() }),
  z.object({ kind: z.literal('email'), message: z.string() }),
]);
export type Verified = Answer<typeof verified>;
const invited = z.object({ name: z.string(), email: z.string(), school: z.string(), role: z.string() });
export type Invited = Answer<typeof invited>;
/** What the link of a page for a password is for: an invitation, or the new password of an account. */
export const passwordLink = z.discriminatedUnion('kind', [
  invited.extend({ kind: z.literal('invitation') }),
  z.object({ kind: z.literal('password'), email: z.string() }),
]);
export type PasswordLink = Answer<typeof passwordLink>;
export const joinSchool = z.object({ joining: z.string(), school: z.string(), subject: z.string(), domain: z.string().nullable() });
export type JoinSchool = Answer<typeof joinSchool>;
const joinWait = z.object({
  seconds: z.int().describe('There is a place after so many seconds, at the latest.'),
  ahead: z.int().describe('How many have waited longer.'),
  joining: z.int().describe('How many were let in during the last three minutes.'),
});
export type JoinWait = Answer<typeof joinWait>;
export const joinChoices = z.object({
  choices: z.array(z.object({ choice: z.string(), name: z.string() })),
  wait: joinWait.exactOptional().describe('All places for dates of birth are taken: the same call again goes on as soon as one is free.'),
});
export type JoinChoices = Answer<typeof joinChoices>;
export const profile = z.object({
  name: z.string(),
  email: z.string(),
  newEmail: z.string().nullable().describe('A new address whose owner has not opened the link yet.'),
  role: z.string(),
  school: z.string(),
  unlockedUntil: instant.nullable().describe('ISO instant until which changes are allowed; null: locked.'),
  twoStep: z.boolean(),
  mayUseTwoStep: z.boolean(),
});
export type Profile = Answer<typeof profile>;
const backupCodes = z.array(z.string());
/** An `otpauth:` address for an authenticator, and recovery codes. Neither is shown again. */
export const twoStepStarted = z.object({ totpURI: z.string(), backupCodes });
export type TwoStepStarted = Answer<typeof twoStepStarted>;
export const recoveryCodes = z.object({ backupCodes });
export type RecoveryCodes = Answer<typeof recoveryCodes>;
/** Where an account is signed in. */
export const sessions = z.object({
  sessions: z.array(
    z.object({
      sessionId: id.describe('Opens nothing.'),
      browser: z.string().describe('Such as Firefox on Windows.'),
      network: z.string().nullable().describe('The beginning of the network address; null: unknown.'),
      since: instant,
      lastUsed: instant.describe('To the minute or two.'),
      isThis: z.boolean().describe('The one that asks.'),
      token: z
        .object({ name: z.string().nullable().describe('null: given for the password.'), until: instant })
        .nullable()
        .describe('Of a program, which sends a bearer token; null: of a browser.'),
    }),
  ),
});
export type Sessions = Answer<typeof sessions>;
export type SessionShown = Sessions['sessions'][number];
export const unlocked = z.object({ unlockedUntil: instant.describe('The profile is unlocked until this instant.') });
export const tokenMade = z.object({ token: z.string().describe('Told once.'), until: instant });
export type TokenMade = Answer<typeof tokenMade>;
export const signedIn = z.object({
  twoFactorRedirect: z.boolean().exactOptional().describe('The password was right, and the account requires a second step.'),
});
/** The link that an admin gives to the student: shown once, and mailed. */
export const studentReset = z.object({ link: z.string() });
export const joinCodeShown = z.object({
  code: z.string().nullable(),
  link: z.string().nullable().describe('The page that asks for the code, with the code.'),
  domain: z.string().nullable(),
  issuedAt: instant.nullable(),
  unfollowed: z
    .int()
    .exactOptional()
    .describe('Dates of birth that somebody found in the last day without joining afterwards: slips, or guesses. Left out: none.'),
});
export type JoinCode = Answer<typeof joinCodeShown>;
/** Students who wait to join: see docs/accounts.md. */
export const ofSubject = z.strictObject({ subjectId: id });
export const joiningWait = z.object({ waiting: z.int() });
export type JoiningWait = Answer<typeof joiningWait>;
export const joiningCleared = z.object({ cleared: z.int().describe('How many places are free again.') });
export type JoiningCleared = Answer<typeof joiningCleared>;
