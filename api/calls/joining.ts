import { parse, serialize } from 'hono/utils/cookie';
import { z } from 'zod';
import { PASS_SECONDS } from '../auth/registration/robot-pass.ts';
import { ProblemError, validated } from '../common/problems.ts';
import { finalise, joinAccount, joinBirthday, joinCode, register } from '../contract/auth.ts';
import { authMessages } from '../contract/auth-messages.ts';
import { doorCall, message } from './visit.ts';

/** Joining by a code, the registration of a school, and social sign-in: what whoever has no account yet calls. */
export const joiningCalls = {
  'GET /sociallogin/{id}': doorCall({
    purpose: 'Begins social sign-in, in a popup.',
    answers: z.string().describe('A redirect to the provider, and from there to /auth/callback.'),
    behind: [],
    differs:
      'There is one provider, whatever the name; 404 where the installation has none. It signs in to an account that is there, and makes none.',
    async answer({ services: { social } }) {
      if (!social) throw new ProblemError('not-found', 'There is no social sign-in here.');
      return social.begin();
    },
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
    async answer({ services: { joining }, takes, from, gone }) {
      const { code, DoB } = await takes();
      const opened = await joining.code(validated(joinCode, { code }).code, from.address);
      const { school, subject, domain } = opened;
      const answer = { school: { name: school }, subject, domain };
      if (DoB === undefined) return { ...answer, students: [] };
      const born = validated(joinBirthday, { joining: opened.joining, dateOfBirth: DoB });
      const { choices, wait } = await joining.birthday(born, from.address, { seconds: 0, gone });
      if (wait) await joining.stepAside(opened.joining);
      const students = choices.map(({ choice, name }) => ({ UniqueID: `${opened.joining}.${choice}`, LastFirst: name, DoB }));
      return { ...answer, students, ...(wait === undefined ? {} : { wait: wait.seconds }) };
    },
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
    async answer({ services: { joining }, takes, from, id: chosen, setCookie }) {
      const { email, password, password_confirmation: confirmation } = await takes();
      const [key = '', choice = ''] = chosen.split('.');
      const account = validated(joinAccount, { joining: key, email, password, confirmation });
      // The name is chosen once; what is wrong about the address or password may be corrected and sent again.
      await joining.name({ joining: key, choice }, from.address).catch((error: unknown) => {
        if (!(error instanceof ProblemError) || error.problem.code !== 'refused') throw error;
      });
      setCookie(await joining.account(account, from.address));
      return { message: 'Welcome to Marktrail' };
    },
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
    async answer({ services: { registration }, takes, cookie, from }) {
      registration.requireOpen();
      const { password_confirmation: confirmation, ...typed } = await takes();
      const robot = parse(cookie, PASS)[PASS] ?? 'none';
      await registration.register(validated(register, { ...typed, confirmation, terms: true, robot }), from.address);
      return { message: authMessages.registered };
    },
  }),
  'POST /recaptcha': doorCall({
    purpose: 'The robot check before a registration.',
    takes: z.strictObject({ secret: z.string().max(1_000).optional(), response: z.string().max(10_000) }),
    answers: z.object({ success: z.boolean() }),
    behind: [],
    differs:
      '`response` is a solved challenge of /api/door/robot-check; `secret` is passed over, the secret stays on the server. Passed, it sets a cookie that opens one registration.',
    async answer({ services: { registration, robot, passes, auth }, takes, setCookie }) {
      registration.requireOpen();
      const { response } = await takes();
      const success = await robot.require(response).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ProblemError) return false;
          throw error;
        },
      );
      if (success) setCookie(passCookie(passes.issue(), auth.publicUrl));
      return { success };
    },
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
    async answer({ services: { registration }, takes }) {
      registration.requireOpen();
      await registration.finalise(validated(finalise, await takes()));
      return { message: authMessages.finalised };
    },
  }),
};

const PASS = 'marktrail.robot';
const passCookie = (pass: string, publicUrl: string): string =>
  serialize(PASS, pass, { path: '/api', httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:'), maxAge: PASS_SECONDS });
