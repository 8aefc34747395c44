import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import type { AccountRequest } from '../api/auth/auth.ts';
import type { AccountsOptions } from '../api/auth/identity/account-commands.ts';
import { projections } from '../projections/all.ts';
import { personalTables } from '../projections/engine/tables/personal.ts';
import { invitationMail } from '../api/auth/identity/staff-accounts.handler.ts';
import { Credentials } from '../api/auth/identity/credentials.ts';
import type { AuthServices } from '../api/auth/auth.ts';
import { sweepAuth } from '../api/auth/identity/housekeeping.ts';
import { Identities } from '../api/auth/identity/identities.ts';
import { Roles } from '../api/auth/identity/roles.ts';
import { JoinCodes } from '../api/auth/joining/join-codes.ts';
import type { AuthMails } from '../api/auth/mails/auth-mails.ts';
import { authMails, LINKED } from '../api/auth/mails/auth-mails.ts';
import { taskMailLimits } from '../api/auth/mails/task-mail-limits.ts';
import { Limits } from '../api/auth/limits.ts';
import { Links } from '../api/auth/password/links.ts';
import { Passwords } from '../api/auth/password/password-hash.ts';
import { LostAddresses } from '../api/auth/profile/address-proof.ts';
import { RobotCheck } from '../api/auth/registration/robot.ts';
import { TakenAddressLimit } from '../api/auth/registration/address-taken.ts';
import { SignedCookies } from '../api/auth/log-in/cookies.ts';
import { SecondStep } from '../api/auth/log-in/second-step.ts';
import { Sessions } from '../api/auth/log-in/sessions.ts';
import { SocialSignIn } from '../api/auth/log-in/social.ts';
import { secretsOf } from '../api/security/secrets.ts';
import { ErrorLog } from '../api/security/error-log.ts';
import { delivery } from '../api/mail/delivery.ts';
import { Outbox } from '../api/mail/outbox.ts';
import { notifyMissed } from '../api/tasks/task-mails.handler.ts';
import { CommandBus } from '../api/pipeline/command-bus.ts';
import type { CommandName, CommandPipeline } from '../api/commands.ts';
import { recordCommands } from '../api/security/record-commands.ts';
import type { Lines } from '../api/security/security-log.ts';
import { SecurityLog } from '../api/security/security-log.ts';
import type { KeyRing } from '../events/codec/keys.ts';
import { staff } from '../events/accounts/staff.ts';
import type { Settings } from './settings.ts';
import { IDLE, SECURITY_LOG_DAYS } from './variables.ts';

export type OpenAuthOptions = Pick<Settings, 'dataDir' | 'publicUrl'> &
  Partial<Pick<Settings, 'smtpUrl' | 'mailFrom' | 'oidc' | 'idle' | 'securityLogDays'>> & {
    readonly pool: pg.Pool;
    readonly masterKey: KeyObject;
    readonly keys: Pick<KeyRing, 'schoolKey'>;
    readonly pipeline: CommandPipeline;
    readonly reached: (position: bigint) => Promise<void>;
    /** Fulfilled when the read model of schools has reached the position. */
    readonly schoolShown: (position: bigint) => Promise<void>;
    readonly tell: (line: string) => void;
    /** Structured lines about security. */
    readonly lines?: Lines | undefined;
    /** See RobotCheck. */
    readonly robotPrefix?: string | undefined;
    readonly passwords?: Passwords | undefined;
  };

/** Puts together identities, mail and api/auth; their commands' handlers are listed in api/handlers.ts. Mail is sent once `auth.mail` is started. */
export const openAuth = ({
  pool,
  masterKey,
  keys,
  pipeline,
  reached,
  schoolShown,
  tell,
  robotPrefix,
  passwords = new Passwords(),
  lines,
  ...settings
}: OpenAuthOptions) => {
  const { publicUrl, smtpUrl, dataDir, mailFrom = 'no-reply@localhost', idle = IDLE, securityLogDays = SECURITY_LOG_DAYS } = settings;
  const secrets = secretsOf(masterKey);
  const roleOf = async (schoolId: string, accountId: string): Promise<string | undefined> =>
    (await pipeline.look(staff, schoolId)).accounts.get(accountId)?.role;
  const security = new SecurityLog({ pool, secrets, lines, keptDays: securityLogDays });
  const around = recordCommands({ security, roleOf });
  const bus = new CommandBus<CommandName, AccountRequest>(pipeline, around);
  // The log is away: log-ins continue with the role in the read models.
  const roles = new Roles(pool, (schoolId, accountId) => roleOf(schoolId, accountId).catch(() => undefined));
  const secret = secrets.sessions;
  const cookies = new SignedCookies({ secret, publicUrl });
  const sessions = new Sessions({
    pool,
    secret,
    cookies,
    roles,
    idle,
    onSession: (account) => security.note({ kind: 'log-in', actor: account, name: 'second step, provider or joining' }),
  });
  const identities = new Identities(pool, passwords);
  const credentials = new Credentials(pool, passwords);
  const links = new Links(pool, secrets);
  const limits = new Limits(pool, secrets);
  const secondStep = new SecondStep({ pool, secret, cookies, sessions, credentials, limits });
  const takenAddresses = new TakenAddressLimit(limits);
  const lostAddresses = new LostAddresses({ pool, pipeline, reached });
  const joinCodes = new JoinCodes(pool, secrets, keys);
  const mail = new Outbox<AuthMails>({
    pool,
    composers: authMails({ pool, links, credentials, publicUrl }),
    deliver: delivery({ smtpUrl, outboxDir: join(dataDir, 'outbox'), sender: mailFrom, tell }),
    tell,
    urgent: LINKED,
    orderMissed: async (outbox) => {
      await orderMissedInvitations(pool, outbox);
      await orderWarnings(pool, outbox);
      await notifyMissed({ pool, limits: taskMailLimits(limits), mail: outbox });
    },
  });
  const accounts: AccountsOptions = {
    pipeline,
    identities,
    roles,
    sessions,
    credentials,
    joinCodes,
    links,
    limits,
    takenAddresses,
    lostAddresses,
    mail,
    reached,
    publicUrl,
  };
  const personal = personalTables(projections.flatMap(({ tables }) => Object.values(tables)));
  const auth: AuthServices = {
    security,
    pool,
    secrets,
    passwords,
    identities,
    roles,
    sessions,
    secondStep,
    credentials,
    links,
    limits,
    takenAddresses,
    lostAddresses,
    mail,
    taskMails: { pool, limits: taskMailLimits(limits), mail },
    schoolShown,
    bus,
    personal,
    publicUrl,
  };
  const robot = new RobotCheck({ pool, secret: secrets.robot, ...(robotPrefix === undefined ? {} : { prefix: robotPrefix }) });
  const social = settings.oidc && new SocialSignIn({ pool, publicUrl, cookies, sessions, tell }, settings.oidc);
  return { auth, bus, around, accounts, robot, joinCodes, social, errors: new ErrorLog(pool) };
};

/** Removes what is too old to be of use, and records in the log what a process that died did not. */
export const sweepAll = async ({ auth, errors }: { auth: AuthServices; errors: ErrorLog }, pool: pg.Pool): Promise<void> => {
  await auth.security.sweep();
  await sweepAuth(pool);
  await errors.sweep();
  await auth.lostAddresses.note();
};

/** Orders the mails of invitations whose process died right after the event. Old ones are left alone. */
const orderMissedInvitations = async (pool: pg.Pool, outbox: Outbox<AuthMails>): Promise<void> => {
  const { rows } = await pool.query<{ accountId: string; invitation: number }>(
    `select a.account_id as "accountId", a.invitations as invitation from read.accounts a
      where not a.activated and not a.closed and a.invited_at > now() - interval '7 days'
        and not exists (select from mail.outbox o where o.cause = 'invited ' || a.account_id || ' ' || a.invitations)`,
  );
  for (const { accountId, invitation } of rows) await outbox.order(invitationMail(accountId, invitation));
};

/** Warns the admins, once for a code and hour, of birthdays that were found without anybody joining: see api/auth/joining/places.ts. */
const orderWarnings = async (pool: pg.Pool, outbox: Outbox<AuthMails>): Promise<void> => {
  const { rows } = await pool.query<{ accountId: string; subjectId: string; times: number; cause: string }>(
    `select a.account_id as "accountId", h.subject_id as "subjectId", h.times,
            'birthdays guessed ' || h.code_tag || ' ' || h.hour || ' ' || a.account_id as cause
       from (select school_id, subject_id, code_tag, count(*)::int as times, extract(epoch from date_trunc('hour', max(taken_at)))::bigint as hour
               from identity.joining_places where taken_at between now() - interval '80 minutes' and now() - interval '20 minutes'
              group by 1, 2, 3 having count(*) >= $1) h
       join read.join_codes c using (school_id, subject_id, code_tag)
       join read.accounts a on a.school_id = h.school_id and a.role = 'admin' and a.activated and not a.closed`,
    [WARN_FROM],
  );
  for (const { cause, ...about } of rows) await outbox.order({ cause, kind: 'birthdays-guessed', about, days: 1 });
};

/** Fewer are slips of a class. */
const WARN_FROM = 5;
