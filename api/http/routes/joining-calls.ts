import type { Context } from 'hono';
import { parse, serialize } from 'hono/utils/cookie';
import type { SocialSignIn } from '../../auth/log-in/social.ts';
import { Joining } from '../../auth/joining/joining.ts';
import { Places } from '../../auth/joining/places.ts';
import { Registration } from '../../auth/registration/registration.ts';
import { PASS_SECONDS, RobotPass } from '../../auth/registration/robot-pass.ts';
import { doorCalls } from '../../calls/door.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { finalise, joinAccount, joinBirthday, joinCode, register } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { bodyOf } from '../body.ts';
import { addressOf } from '../request/address.ts';
import type { AuthOptions } from './auth.ts';

/** Adds a call. It answers a body of its schema, or a complete response. Parameters are refused where the call has none. */
export type On = <Name extends keyof typeof doorCalls>(
  name: Name,
  answer: (c: Context) => Promise<Extract<Answer<(typeof doorCalls)[Name]['answers']>, object> | Response>,
) => void;
type Options = AuthOptions & { readonly social?: SocialSignIn | undefined };

/** Joining by a code, the registration of a school, and social sign-in: the documented calls of whoever has no account yet. */
export const joiningCalls = (on: On, { auth, robot, joinCodes, site = { operator: {} }, social }: Options): void => {
  const joining = new Joining(auth, joinCodes, new Places(auth.pool, auth.limits, auth.secrets));
  const passes = new RobotPass(auth.pool, auth.secrets);
  const registration = new Registration(auth, passes, site);

  on('POST /verify-code', async (c) => {
    const { code, DoB } = validated(doorCalls['POST /verify-code'].takes, await bodyOf(c));
    const opened = await joining.code(validated(joinCode, { code }).code, addressOf(c));
    const { school, subject, domain } = opened;
    const answer = { school: { name: school }, subject, domain };
    if (DoB === undefined) return { ...answer, students: [] };
    const born = validated(joinBirthday, { joining: opened.joining, dateOfBirth: DoB });
    const { choices, wait } = await joining.birthday(born, addressOf(c), { seconds: 0, gone: c.req.raw.signal });
    if (wait) await joining.stepAside(opened.joining);
    const students = choices.map(({ choice, name }) => ({ UniqueID: `${opened.joining}.${choice}`, LastFirst: name, DoB }));
    return { ...answer, students, ...(wait === undefined ? {} : { wait: wait.seconds }) };
  });
  on('PUT /verify-code/{id}', async (c) => {
    const { email, password, password_confirmation: confirmation } = validated(doorCalls['PUT /verify-code/{id}'].takes, await bodyOf(c));
    const [key = '', choice = ''] = (c.req.param('id') ?? '').split('.');
    const typed = await joined(joining, { key, choice, email, password, confirmation }, addressOf(c));
    c.header('Set-Cookie', typed);
    return { message: 'Welcome to Marktrail' };
  });
  on('POST /recaptcha', async (c) => {
    registration.requireOpen();
    const { response } = validated(doorCalls['POST /recaptcha'].takes, await bodyOf(c));
    const success = await robot.require(response).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ProblemError) return false;
        throw error;
      },
    );
    if (success) c.header('Set-Cookie', passCookie(passes.issue(), auth.publicUrl));
    return { success };
  });
  on('POST /auth/register', async (c) => {
    registration.requireOpen();
    const { password_confirmation: confirmation, ...typed } = validated(doorCalls['POST /auth/register'].takes, await bodyOf(c));
    const pass = parse(c.req.header('Cookie') ?? '', PASS)[PASS] ?? 'none';
    const form = validated(register, { ...typed, confirmation, terms: true, robot: pass });
    await registration.register(form, addressOf(c));
    return { message: authMessages.registered };
  });
  on('POST /new-db', async (c) => {
    registration.requireOpen();
    await registration.finalise(validated(finalise, validated(doorCalls['POST /new-db'].takes, await bodyOf(c))));
    return { message: authMessages.finalised };
  });
  on('GET /sociallogin/{id}', async () => {
    if (!social) throw new ProblemError('not-found', 'There is no social sign-in here.');
    return social.begin();
  });
};

type Chosen = Readonly<Record<'key' | 'choice' | 'email' | 'password' | 'confirmation', string>>;

/** The name is chosen once; what is wrong about address or password may be corrected and sent again. */
const joined = async (joining: Joining, { key, choice, email, password, confirmation }: Chosen, address: string): Promise<string> => {
  const account = validated(joinAccount, { joining: key, email, password, confirmation });
  try {
    await joining.name({ joining: key, choice }, address);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== 'refused') throw error;
  }
  return joining.account(account, address);
};

const PASS = 'marktrail.robot';
const passCookie = (pass: string, publicUrl: string): string =>
  serialize(PASS, pass, { path: '/api', httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:'), maxAge: PASS_SECONDS });
