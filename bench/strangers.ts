/**
 * (t) What every address costs the server that answers without a session, beside the least that it answers, `/api/health/live`. In processor
 * time, where the system tells it: all people share the one thread. What hashes, mails, stores or checks a code is printed with its limit.
 */
import { Agent, request } from 'node:http';
import { REPORTS_OF_STRANGERS } from '../api/http/routes/errors.ts';
import { WRONG_CODES } from '../api/auth/joining/joining.ts';
import type { Limit } from '../api/auth/limits.ts';
import { OF_A_NETWORK } from '../api/auth/log-in/log-in.ts';
import { FOR_ADDRESS } from '../api/auth/password/recovery.ts';
import { REGISTRATIONS } from '../api/auth/registration/registration.ts';
import { compared, type Figure, inTurn, median, plain } from './figures.ts';
import { startProduct } from './processes.ts';
import { millisecondsOf } from './processor-time.ts';

const AT_ONCE = 8;
const LEAST = 'GET /api/health/live';
const GOAL = { is: '<=', than: 3 } as const;
/** Fewer than any limit. */
const LIMITED = 8;

type Asked = {
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limit?: string;
};

/** @param databaseUrl a migrated database with an empty log */
export const strangersFigures = async (
  databaseUrl: string,
  dataDir: string,
  { rounds, each }: { readonly rounds: number; readonly each: number },
): Promise<Figure[]> => {
  const product = await startProduct(databaseUrl, dataDir, { apps: true });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses = new Set<number>();
  let sent = 0;
  const send = (what: string, { query = '', body, headers = STRANGER }: Asked): Promise<void> =>
    new Promise((answered, failed) => {
      const [method = '', path = ''] = what.split(' ');
      // Somebody else each time: what is counted by account is to be reached by nobody.
      const another = (text: string): string => text.replace('nobody', `nobody${(sent += 1)}`);
      const asking = request(
        `${product.url}${path}${another(query)}`,
        { agent, method, headers: { ...headers, ...(body && JSON_BODY) } },
        (answer) => {
          statuses.add(answer.statusCode ?? 0);
          answer.resume().once('end', answered).once('error', failed);
        },
      );
      asking.once('error', failed).end(body && another(JSON.stringify(body)));
    });
  /** In ms of an answer. */
  const cost = async (what: string, asked: Asked, times: number): Promise<number> => {
    const [cpu, wall] = [millisecondsOf([product.pid]), performance.now()];
    let left = times;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await send(what, asked);
      }),
    );
    const spent = millisecondsOf([product.pid]) - cpu;
    return (Number.isNaN(spent) ? performance.now() - wall : spent) / times;
  };
  try {
    const figures: Figure[] = [];
    for (const [what, asked] of await allOf(product.url)) {
      const [called = ''] = what.split(' #');
      const [times, ofAddress] = asked.limit === undefined ? [rounds, each] : [1, LIMITED];
      statuses.clear();
      const pairs = await inTurn(
        times,
        () => cost(called, asked, ofAddress),
        () => cost(LEAST, {}, each),
      );
      const [answered = 200] = [...statuses].filter((status) => status !== 200);
      const name = `strangers: ms of an answer of ${what.replace(' #', ',')} (${answered})`;
      figures.push(
        asked.limit === undefined
          ? compared(`${name}, against /api/health/live`, pairs, GOAL)
          : plain(`${name}; limit: ${asked.limit}`, median(pairs.map(({ value }) => value))),
      );
    }
    return figures;
  } finally {
    agent.destroy();
    await product.stop();
  }
};

/** Every public address that the description names, with what to send; and what needs a session or is not there, which is an answer too. */
const allOf = async (url: string): Promise<[what: string, asked: Asked][]> => {
  const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: readonly unknown[] }>>;
  };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security }]): [string, Asked][] => {
      const what = `${method.toUpperCase()} ${path}`;
      if (security?.length !== 0 || what === LEAST) return [];
      const asked = SENT[what] ?? (method === 'get' ? {} : undefined);
      if (!asked) throw new Error(`bench/strangers.ts does not say what to send to ${what}`);
      return [[what.replace('{id}', 'x'), asked]];
    }),
  );
  return [...described, ...Object.entries(OTHERS)];
};

/** Whoever names an address that nobody trusts is a stranger, on this machine too. */
const OPERATOR = { 'Accept-Encoding': 'gzip, br' };
const STRANGER = { ...OPERATOR, 'X-Forwarded-For': '192.0.2.1' };
const JSON_BODY = { 'Content-Type': 'application/json' };

const ofNetwork = ({ most, seconds }: Limit): string => `${most} of a network in ${seconds / 60} min`;
const OF_TOKENS = 'none: nobody guesses its token';
const OF_SECOND_STEP = 'of the account, once its password was right';
const token = 'x'.repeat(43);
const email = 'nobody@bench.example';
const password = 'correct-horse';
const twice = { password, confirmation: password };
const byCall = { password, password_confirmation: password };
const school = { email, school: 'Greenfield Academy' };
const name = 'Ada Nwosu';

const SENT: Readonly<Record<string, Asked>> = {
  'GET /api/door/robot-check': { limit: 'none: it is what others are limited by' },
  'POST /api/identity/sign-in/email': { body: { email, password }, limit: ofNetwork(OF_A_NETWORK) },
  'POST /api/oauth/token': { body: { grant_type: 'password', username: email, password }, limit: ofNetwork(OF_A_NETWORK) },
  'POST /api/identity/sign-out': { body: {} },
  'POST /api/identity/two-factor/verify-totp': { body: { code: '123456' }, limit: OF_SECOND_STEP },
  'POST /api/identity/two-factor/verify-backup-code': { body: { code: '123456' }, limit: OF_SECOND_STEP },
  'POST /api/door/registration': { body: { name, ...school, ...twice, terms: true, robot: token }, limit: ofNetwork(REGISTRATIONS) },
  'POST /api/auth/register': { body: { name, ...school, ...byCall }, limit: ofNetwork(REGISTRATIONS) },
  'POST /api/recaptcha': { body: { response: token }, limit: 'none: nobody forges a challenge' },
  'POST /api/door/registration/finalise': { body: { ...school, token, password }, limit: OF_TOKENS },
  'POST /api/new-db': { body: { ...school, token, password }, limit: OF_TOKENS },
  'POST /api/door/verify': { body: { token }, limit: OF_TOKENS },
  'POST /api/door/password/forgotten': { body: { email }, limit: ofNetwork(FOR_ADDRESS) },
  'POST /api/forget-password': { query: `?email=${email}`, body: {}, limit: ofNetwork(FOR_ADDRESS) },
  'POST /api/door/password/new': { body: { token, ...twice }, limit: OF_TOKENS },
  'POST /api/reset-password': { body: { token, ...byCall }, limit: OF_TOKENS },
  'POST /api/door/activation': { body: { token }, limit: OF_TOKENS },
  'POST /api/door/activation/accept': { body: { token, name, ...twice }, limit: OF_TOKENS },
  'POST /api/door/join/code': { body: { code: 'abcdefgh' }, limit: ofNetwork(WRONG_CODES) },
  'POST /api/verify-code': { body: { code: 'abcdefgh' }, limit: ofNetwork(WRONG_CODES) },
  'POST /api/door/join/birthday': { body: { joining: token, dateOfBirth: '2010-02-01' }, limit: OF_TOKENS },
  'POST /api/door/join/name': { body: { joining: token, choice: token }, limit: OF_TOKENS },
  'POST /api/door/join/account': { body: { joining: token, email, ...twice }, limit: OF_TOKENS },
  'PUT /api/verify-code/{id}': { body: { email, ...byCall }, limit: OF_TOKENS },
  'POST /api/errors': { body: { message: 'TypeError' }, limit: ofNetwork(REPORTS_OF_STRANGERS) },
  'POST /api/report_error': { body: { message: 'TypeError' }, limit: ofNetwork(REPORTS_OF_STRANGERS) },
};

const OTHERS: Readonly<Record<string, Asked>> = {
  'GET /api/health # of the operator': { headers: OPERATOR },
  'GET /api/metrics # of the operator': { headers: OPERATOR },
  'GET /api/openapi.json # uncompressed': { headers: { 'Accept-Encoding': 'identity' }, limit: '8 MB of a network in a minute' },
  'GET /api/queries/me': {},
  'POST /api/commands/AddSubject': { body: { name: 'Physics' } },
  'GET /api/rest/subjects': {},
  'GET /api/teacher/28': {},
  'GET /api/live': {},
  'GET /api/nothing': {},
  'GET /': {},
  'GET /login': {},
  'GET /nothing': {},
};
