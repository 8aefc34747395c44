import { z } from 'zod';
import { id } from '../contract/fields.ts';
import { doorCall } from './call.ts';

export const OWN_PAGE = 'It must come from a page of Marktrail or with a bearer token: a picture or link on any page would send it too.';
export const message = z.object({ message: z.string() });

/**
 * What nobody has to be signed in for, and what is about the session itself or mails: api/http/routes/account-calls.ts and joining-calls.ts
 * read what is sent by these schemas, and their answers are of these.
 */
export const doorCalls = {
  'POST /oauth/token': doorCall({
    purpose: 'A bearer token for the right password, good for 30 days.',
    takes: z.strictObject({
      grant_type: z.literal('password', 'Only the password grant is known.'),
      client_id: z.union([z.string().max(100), z.int()]).optional(),
      client_secret: z.string().max(1_000).optional(),
      username: z.string().max(254),
      password: z.string().max(128),
      scope: z.string().max(100).optional(),
    }),
    answers: z.object({ token_type: z.literal('Bearer'), expires_in: z.int(), access_token: z.string() }),
    behind: [],
    differs:
      '`client_id`, `client_secret` and `scope` are taken and ignored: a secret that every browser knows protects nothing. An account with two-step sign-in is refused (401, with the reason) and makes its token in its profile. Limited like log-ins. The token is told once and stored as a hash; it stands in the profile among the sessions, and whatever ends sessions ends it. It makes no other token and changes no second step.',
  }),
  'GET /logout': doorCall({
    purpose: 'Ends the session or the token that sends it.',
    answers: z.object({ name: z.string() }),
    behind: [],
    differs: OWN_PAGE,
  }),
  'POST /report_error': doorCall({
    purpose: 'Reports an error of a page.',
    takes: z.strictObject({
      user: z.string().max(1_000).nullish(),
      school: z.string().max(1_000).nullish(),
      file: z.string().max(100_000).nullish(),
      line: z.int().min(0).max(10_000_000).nullish(),
      message: z.string().max(100_000),
      status: z.int().min(0).max(999).nullish(),
      status_text: z.string().max(100_000).nullish(),
    }),
    answers: z.object({ id: z.string() }),
    behind: [],
    differs: '`user` and `school` are passed over: who reports it is known by the session.',
  }),
  'POST /forget-password': doorCall({
    purpose: 'Mails a link for a new password, if the address has an account; the answer is the same for every address.',
    asks: z.strictObject({ email: z.string().max(300) }),
    answers: message,
    behind: [],
  }),
  'POST /reset-password': doorCall({
    purpose: 'Sets a password by the token of a mailed link: a new one, or the first of an account that was invited.',
    takes: z.strictObject({
      email: z.string().max(300).optional(),
      password: z.string().max(128),
      password_confirmation: z.string().max(128),
      token: z.string().max(300),
    }),
    answers: message,
    behind: [],
    differs:
      '`email` is passed over: the token knows its account. The token of an invitation activates the account, with the name that it was invited by.',
  }),
  'PUT /users_students/code': doorCall({
    purpose: 'The joining code of a subject and the domain of its addresses; with `forcenew`, or where there is none, a new code.',
    asks: z.strictObject({
      subject: id,
      code: z.string().max(100).optional(),
      domain: z.string().max(300).optional(),
      forcenew: z.string().max(10).optional(),
    }),
    answers: z.object({ code: z.string().nullable(), domain: z.string().nullable() }),
    behind: ['IssueJoinCode', 'ChangeJoinDomain'],
    differs: 'The server draws the code, and the one in the answer counts; `code` is passed over.',
  }),
  'GET /sociallogin/{id}': doorCall({
    purpose: 'Begins social sign-in, in a popup.',
    answers: z.string().describe('A redirect to the provider, and from there to /auth/callback.'),
    behind: [],
    differs:
      'There is one provider, whatever the name; 404 where the installation has none. It signs in to an account that is there, and makes none.',
  }),
  'POST /verify-code': doorCall({
    purpose: 'The school and subject of a joining code; with a date of birth, the names to choose from.',
    takes: z.strictObject({ code: z.string().max(100), DoB: z.string().max(30).optional() }),
    answers: z.object({
      school: z.object({ name: z.string() }),
      subject: z.string(),
      domain: z.string().nullable(),
      students: z.array(z.object({ UniqueID: z.string(), LastFirst: z.string(), DoB: z.string() })),
      wait: z.int().exactOptional().describe('All places for dates of birth are taken: send it again after so many seconds at the latest.'),
    }),
    behind: ['JoinByCode'],
    differs:
      'No list of students is given away: names come only after the date of birth was sent (`DoB`), those who were born on that day among others, each with a `UniqueID` that stands for this choice alone, once, for 20 minutes. Codes, dates and choices are limited.',
  }),
  'PUT /verify-code/{id}': doorCall({
    purpose: 'Joins as the chosen student: opens the account and signs in.',
    takes: z.strictObject({
      code: z.string().max(100).optional(),
      name: z.string().max(300).optional(),
      email: z.string().max(254),
      password: z.string().max(128),
      password_confirmation: z.string().max(128),
    }),
    answers: message,
    behind: ['JoinByCode'],
    differs:
      'The id is the `UniqueID` of POST verify-code. A wrong choice ends the joining; an address or password that is refused may be corrected and sent again. `code` and `name` are passed over: the choice knows them. The domain of the school is added to the part before the @.',
  }),
  'POST /auth/register': doorCall({
    purpose: 'Registers a new school: a mail follows.',
    takes: z.strictObject({
      name: z.string().max(300),
      email: z.string().max(300),
      password: z.string().max(128),
      password_confirmation: z.string().max(128),
    }),
    answers: message,
    behind: [],
    differs:
      'Once after POST recaptcha, within 20 minutes and by the same browser. Whoever sends it agrees to the terms and conditions. 403 where registration is closed, as by default in production; POST recaptcha and new-db too.',
  }),
  'POST /recaptcha': doorCall({
    purpose: 'The robot check before a registration.',
    takes: z.strictObject({ secret: z.string().max(1_000).optional(), response: z.string().max(10_000) }),
    answers: z.object({ success: z.boolean() }),
    behind: [],
    differs:
      '`response` is a solved challenge of /api/door/robot-check; `secret` is passed over, the secret stays on the server. Passed, it sets a cookie that opens one registration.',
  }),
  'POST /new-db': doorCall({
    purpose: 'Opens a registered school with its first admin.',
    takes: z.strictObject({
      school: z.string().max(1_000),
      email: z.string().max(300),
      password: z.string().max(128),
      token: z.string().max(1_000),
    }),
    answers: message,
    behind: [],
    differs: 'It takes the `token` of the mailed link as well.',
  }),
  'POST /profile': doorCall({
    purpose: "Verifies one's own password: for 10 minutes the same session or token may change the profile.",
    takes: z.strictObject({ password: z.string().min(1, 'Required.').max(128) }),
    answers: z.object({ verified: z.literal(true), until: z.string() }),
    behind: [],
  }),
  'PUT /profile/{id}': doorCall({
    purpose: "Changes one's own name, address or password, once POST profile has verified the password.",
    takes: z.strictObject({
      name: z.string().optional(),
      email: z.string().optional(),
      password: z.string().optional(),
      password_confirmation: z.string().optional(),
    }),
    answers: message,
    behind: [],
    differs: 'A new address counts once its owner has opened the link that is mailed there.',
  }),
  'POST /feedback': doorCall({
    purpose: 'Announces a new task to the teachers of its classes, by mail.',
    asks: z.strictObject({
      name: z.string().max(1_000).optional(),
      task_id: id,
      expiry: z.string().max(100).optional(),
    }),
    answers: message,
    behind: ['task'],
    differs: 'The mails are those of the task itself: who has had one gets no other. `name` and `expiry` are those of the task.',
  }),
};
