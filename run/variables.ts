import { z } from 'zod';
import { parseTrustedProxies } from '../api/http/request/address.ts';
import { parseAddress } from '../events/store/eventstoredb/address.ts';

/** The message does not repeat the password. */
const wrongWithAddress = (eventStoreUrl: string): string | undefined => {
  try {
    parseAddress(eventStoreUrl);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** `Name=https://...` */
const linkIn = (text: string): { name: string; url: string } => {
  const [name = '', ...url] = text.split('=');
  return { name: name.trim(), url: url.join('=').trim() };
};

const isUrlOf =
  (...schemes: string[]) =>
  (text: string) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol);

/** A text with a rule; `secret` values are not repeated in the message. */
const text = (name: string, isRight: (value: string) => boolean, what: string, secret = false) =>
  z
    .string()
    .trim()
    .refine(isRight, { error: ({ input }) => `${name}${secret ? '' : `=${String(input)}`} is invalid: expected ${what}.` });

const secretKey = (name: string) =>
  text(name, (value) => /^([0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(value), '32 random bytes in base64 or hex', true).optional();

const oneOf = <const Choices extends readonly [string, ...string[]]>(name: string, choices: Choices) =>
  z.enum(choices, { error: ({ input }) => `${name}=${String(input)} is invalid: expected one of ${choices.join(', ')}.` });

const yesOrNo = (name: string) =>
  oneOf(name, ['1', '0', 'yes', 'no', 'true', 'false'])
    .transform((value) => ['1', 'yes', 'true'].includes(value))
    .optional();

const minutes = (name: string, most: number) =>
  text(name, (value) => /^\d{1,5}$/.test(value), 'a number of minutes (0: no limit)')
    .transform(Number)
    .default(most);

/** A lesson, and what is prepared between two; students share computers. In minutes. */
export const IDLE = { staff: 120, students: 30 };

/** Longer than a school year: an auditor looks back at the last one. */
export const SECURITY_LOG_DAYS = 400;

/** The environment variables. Each message is a sentence that says what is wrong and what is expected. */
export const variables = z.object({
  PORT: text('PORT', (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, 'a number from 1 to 65535 (0: any free port)')
    .transform(Number)
    .default(3000),
  HOST: text('HOST', (value) => /^[\w.:%-]+$/.test(value), 'an address or name of this machine, such as 127.0.0.1 or 0.0.0.0').default(
    '127.0.0.1',
  ),
  PUBLIC_URL: text(
    'PUBLIC_URL',
    (value) => isUrlOf('http:', 'https:')(value) && new URL(value).pathname === '/' && !/[?#]/.test(value),
    'an address without a path, such as https://marks.school.example',
  )
    .transform((value) => new URL(value).origin)
    .optional(),
  HSTS_SUBDOMAINS: yesOrNo('HSTS_SUBDOMAINS'),
  TRUSTED_PROXIES: text(
    'TRUSTED_PROXIES',
    (value) => parseTrustedProxies(value) !== undefined,
    'the number of proxies in front, such as 1, or their networks, such as 10.0.0.0/8,fd00::/8',
  )
    .transform(parseTrustedProxies)
    .optional(),
  METRICS_TOKEN: text(
    'METRICS_TOKEN',
    (value) => /^[\w+/.~=-]{16,}$/.test(value),
    'at least 16 letters, digits or signs of base64',
    true,
  ).optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: text('DATABASE_URL', isUrlOf('postgres:', 'postgresql:'), 'postgres://user:password@host:5432/database', true).optional(),
  READER_DATABASE_URL: text(
    'READER_DATABASE_URL',
    (value) => isUrlOf('postgres:', 'postgresql:')(value) && new URL(value).username !== '' && new URL(value).password !== '',
    'postgres://user:password@host:5432/database',
    true,
  ).optional(),
  EVENTSTORE_URL: z
    .string()
    .superRefine((value, { addIssue }) => {
      const wrong = wrongWithAddress(value);
      if (wrong !== undefined) addIssue(`EVENTSTORE_URL is invalid: ${wrong}.`);
    })
    .optional(),
  SMTP_URL: text('SMTP_URL', isUrlOf('smtp:', 'smtps:'), 'smtp://user:password@host:587', true).optional(),
  MAIL_FROM: text(
    'MAIL_FROM',
    (value) => /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(value),
    'an address, such as Greenfield Academy <marks@greenfield.example>',
  ).optional(),
  OPERATOR_NAME: z.string().trim().optional(),
  OPERATOR_EMAIL: text('OPERATOR_EMAIL', (value) => /^[^\s@]+@[^\s@]+$/.test(value), 'an e-mail address').optional(),
  OPERATOR_ADDRESS: z.string().trim().optional(),
  OPERATOR_LINKS: text(
    'OPERATOR_LINKS',
    (value) => value.split(',').every((one) => isUrlOf('https:', 'http:')(linkIn(one).url)),
    'names and addresses, such as Mastodon=https://example.social/@school,Website=https://school.example',
  )
    .transform((value) => value.split(',').map(linkIn))
    .optional(),
  LICENSED_TO: z.string().trim().optional(),
  REGISTRATION: oneOf('REGISTRATION', ['open', 'closed']).optional(),
  OIDC_ISSUER: text('OIDC_ISSUER', isUrlOf('https:', 'http:'), 'the address of an OpenID Connect provider').optional(),
  OIDC_CLIENT_ID: z.string().trim().optional(),
  OIDC_CLIENT_SECRET: z.string().trim().optional(),
  OIDC_NAME: z.string().trim().optional(),
  MASTER_KEY: secretKey('MASTER_KEY'),
  SIGNING_KEY: secretKey('SIGNING_KEY'),
  HEADS_FILE: z.string().optional(),
  FORGETTINGS_FILE: z.string().optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY: text('BACKUP_EVERY', (value) => /^\d{1,3}$/.test(value) && Number(value) >= 1, 'a number of hours from 1 to 999')
    .transform(Number)
    .default(24),
  BACKUP_PASSPHRASE: text('BACKUP_PASSPHRASE', (value) => value.length >= 12, 'at least 12 characters', true).optional(),
  ROLE: oneOf('ROLE', ['all', 'api', 'projector']).default('all'),
  DEMO: yesOrNo('DEMO'),
  IDLE_MINUTES: minutes('IDLE_MINUTES', IDLE.staff),
  IDLE_MINUTES_STUDENTS: minutes('IDLE_MINUTES_STUDENTS', IDLE.students),
  AS_OF_SCHEMAS: text(
    'AS_OF_SCHEMAS',
    (value) => /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 32,
    'a number from 1 to 32',
  )
    .transform(Number)
    .default(2),
  READ_MODEL_ADMINS: text(
    'READ_MODEL_ADMINS',
    (value) => value.split(',').every((one) => /^[^\s@]+@[^\s@]+$/.test(one.trim())),
    'e-mail addresses with commas between them',
  )
    .transform((value) => value.split(',').map((one) => one.trim().toLowerCase()))
    .default([]),
  SECURITY_LOG_DAYS: text('SECURITY_LOG_DAYS', (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1, 'a number of days from 1 to 99999')
    .transform(Number)
    .default(SECURITY_LOG_DAYS),
  NODE_ENV: oneOf('NODE_ENV', ['production', 'development', 'test']).default('development'),
  LOG_LEVEL: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
});
