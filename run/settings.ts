import { join, resolve } from 'node:path';
import type { z } from 'zod';
import type { SocialProvider } from '../api/auth/log-in/social.ts';
import type { Idle } from '../api/auth/log-in/session-actors.ts';
import type { Site } from '../api/contract/auth.ts';
import { registrationClosed } from '../api/contract/auth-messages.ts';
import type { TrustedProxies } from '../api/http/request/address.ts';
import { StartError } from './start-error.ts';
import { variables } from './variables.ts';

/** All settings. Each is optional and set by an environment variable. */
export interface Settings {
  /** PORT. 0: any free one. */
  readonly port: number;
  /** HOST: the address to listen on; 0.0.0.0 for every network. */
  readonly host: string;
  /** PUBLIC_URL: how people reach Marktrail, without a slash at the end. */
  readonly publicUrl: string;
  /** HSTS_SUBDOMAINS: whether browsers may use HTTPS only for every name below that of PUBLIC_URL as well. */
  readonly hstsSubdomains: boolean;
  /** TRUSTED_PROXIES: the number of proxies in front, or their networks; undefined: no X-Forwarded-For is trusted. */
  readonly trustedProxies: TrustedProxies;
  /** METRICS_TOKEN: the bearer token with which /api/metrics and all of /api/health are told from anywhere. Undefined: none. */
  readonly metricsToken: string | undefined;
  /** DATA_DIR, absolute: database, master key, outbox. */
  readonly dataDir: string;
  /** DATABASE_URL: an external PostgreSQL. Undefined: the embedded one, in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** READER_DATABASE_URL: the log-in of queries on that PostgreSQL. Undefined: queries use the one of DATABASE_URL. */
  readonly readerDatabaseUrl: string | undefined;
  /**
   * EVENTSTORE_URL: an EventStoreDB for the log; `esdb://..`, `esdb+discover://..` or `unix:/path`. Undefined: the log is in PostgreSQL.
   */
  readonly eventStoreUrl: string | undefined;
  /** SMTP_URL: the mail server. Undefined: files in `dataDir`/outbox. */
  readonly smtpUrl: string | undefined;
  /** MAIL_FROM: the sender of mail; by default no-reply at the host of PUBLIC_URL. */
  readonly mailFrom: string;
  /**
   * OPERATOR_NAME, OPERATOR_EMAIL, OPERATOR_ADDRESS, OPERATOR_LINKS, LICENSED_TO: shown in the footer and the privacy policy, as far as
   * set. REGISTRATION: whether new schools register themselves; in production only if it is opened.
   */
  readonly site: Omit<Site, 'social'>;
  /** OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME: an OpenID Connect provider. Undefined: none. */
  readonly oidc: SocialProvider | undefined;
  /** MASTER_KEY: 32 bytes in base64 or hex that wrap every person's key. Undefined: the one in `dataDir`. */
  readonly masterKey: string | undefined;
  /** SIGNING_KEY: 32 bytes in base64 or hex that sign the heads of the log. Undefined: the one in `dataDir`. */
  readonly signingKey: string | undefined;
  /** HEADS_FILE, absolute: a copy of the signed heads outside the database; by default `dataDir`/heads.ndjson. */
  readonly headsFile: string;
  /** FORGETTINGS_FILE, absolute: who was forgotten, outside the database; by default `dataDir`/forgettings.ndjson. */
  readonly forgettingsFile: string;
  /** BACKUP_DIR, absolute: where backups are made by themselves. Undefined: none is. */
  readonly backupDir: string | undefined;
  /** BACKUP_EVERY, in hours. */
  readonly backupEvery: number;
  /** BACKUP_PASSPHRASE: under it the keys are in a backup. Undefined: they are not. */
  readonly backupPassphrase: string | undefined;
  /** ROLE: what this process does. */
  readonly role: 'all' | 'api' | 'projector';
  /** DEMO: whether an empty log gets the demo school; by default only outside production and with the embedded database. */
  readonly demo: boolean;
  /** IDLE_MINUTES, IDLE_MINUTES_STUDENTS: after how long without use a session ends; 0: not at all. */
  readonly idle: Idle;
  /** DEMO was set, to whatever wishes for one. */
  readonly demoAsked: boolean;
  /** AS_OF_SCHEMAS: how many earlier moments can be viewed at the same time; each takes the disk space of one school's read models. */
  readonly asOfSchemas: number;
  /** READ_MODEL_ADMINS: the addresses of the admins who may rebuild read models where there are several schools. */
  readonly readModelAdmins: readonly string[];
  /** SECURITY_LOG_DAYS: for how many days an entry of the security log is kept. */
  readonly securityLogDays: number;
  /** NODE_ENV=production */
  readonly production: boolean;
  /** LOG_LEVEL, of pino. */
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/**
 * Reads the settings. An empty variable counts as not set.
 * Error: StartError with one line that names each wrong variable, its value unless secret, and what it may be.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = variables.safeParse(present);
  if (!parsed.success) throw new StartError(parsed.error.issues.map((issue) => issue.message).join(' '));
  const set = parsed.data;
  const production = set.NODE_ENV === 'production';
  if (set.ROLE !== 'all' && set.DATABASE_URL === undefined) {
    throw new StartError(`ROLE=${set.ROLE} needs DATABASE_URL: the embedded PostgreSQL serves one process only.`);
  }
  if (set.READER_DATABASE_URL !== undefined && set.DATABASE_URL === undefined) {
    throw new StartError('READER_DATABASE_URL needs DATABASE_URL: the embedded PostgreSQL makes its own log-in for queries.');
  }
  return {
    port: set.PORT,
    host: set.HOST,
    publicUrl: set.PUBLIC_URL ?? `http://localhost:${set.PORT}`,
    hstsSubdomains: set.HSTS_SUBDOMAINS ?? false,
    trustedProxies: set.TRUSTED_PROXIES,
    metricsToken: set.METRICS_TOKEN,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    readerDatabaseUrl: set.READER_DATABASE_URL,
    eventStoreUrl: set.EVENTSTORE_URL,
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM ?? `Marktrail <no-reply@${new URL(set.PUBLIC_URL ?? 'http://localhost').hostname}>`,
    site: siteOf(set, production),
    oidc: oidcOf(set),
    masterKey: set.MASTER_KEY,
    signingKey: set.SIGNING_KEY,
    headsFile: resolve(set.HEADS_FILE ?? join(set.DATA_DIR, 'heads.ndjson')),
    forgettingsFile: resolve(set.FORGETTINGS_FILE ?? join(set.DATA_DIR, 'forgettings.ndjson')),
    backupDir: set.BACKUP_DIR === undefined ? undefined : resolve(set.BACKUP_DIR),
    backupEvery: set.BACKUP_EVERY,
    backupPassphrase: set.BACKUP_PASSPHRASE,
    role: set.ROLE,
    demo: set.DEMO ?? (!production && set.DATABASE_URL === undefined),
    idle: { staff: set.IDLE_MINUTES, students: set.IDLE_MINUTES_STUDENTS },
    demoAsked: set.DEMO === true,
    asOfSchemas: set.AS_OF_SCHEMAS,
    readModelAdmins: set.READ_MODEL_ADMINS,
    securityLogDays: set.SECURITY_LOG_DAYS,
    production,
    logLevel: set.LOG_LEVEL ?? (production ? 'info' : 'warn'),
  };
}

const siteOf = (set: z.output<typeof variables>, production: boolean): Settings['site'] => {
  const { OPERATOR_NAME: name, OPERATOR_EMAIL: email, OPERATOR_ADDRESS: address, OPERATOR_LINKS: links, LICENSED_TO: licensedTo } = set;
  return {
    operator: { ...(name && { name }), ...(email && { email }), ...(address && { address }), ...(links && { links }) },
    ...(licensedTo && { licensedTo }),
    ...((set.REGISTRATION ?? (production ? 'closed' : 'open')) === 'closed' && { registrationClosed: registrationClosed(email) }),
  };
};

const oidcOf = (set: z.output<typeof variables>): SocialProvider | undefined => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = set;
  if (issuer === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined)
    throw new StartError('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, which the provider issues.');
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname };
};
