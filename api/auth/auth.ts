import type { Pool } from 'pg';
import type { PersonalTable } from '../../projections/engine/tables/personal.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { InternalRequest } from '../pipeline/pipeline.ts';
import type { Commands } from '../commands.ts';
import type { Credentials } from './identity/credentials.ts';
import type { Identities } from './identity/identities.ts';
import type { Roles } from './identity/roles.ts';
import type { SecondStep } from './log-in/second-step.ts';
import type { Sessions } from './log-in/sessions.ts';
import type { AuthMails } from './mails/auth-mails.ts';
import type { SecurityLog } from '../security/security-log.ts';
import type { Limits } from './limits.ts';
import type { Links } from './password/links.ts';
import type { Passwords } from './password/password-hash.ts';
import type { LostAddresses } from './profile/address-proof.ts';
import type { Secrets } from '../security/secrets.ts';
import type { NotifyOptions } from '../tasks/notify-teachers.ts';
import type { TakenAddressLimit } from './registration/address-taken.ts';

/**
 * `anyPassword`: the password is public anyway, as the demo school's are. `proved`: the owner has shown by a mailed link that the address is
 * theirs. Neither is ever set from an HTTP request.
 */
export type AccountRequest = InternalRequest & { readonly anyPassword?: boolean; readonly proved?: boolean };

/** The services that the parts of api/auth share. */
export type AuthServices = {
  /** Connections of the database's owner, without row-level security: before somebody is signed in there is no school. */
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly identities: Identities;
  readonly roles: Roles;
  readonly sessions: Sessions;
  readonly secondStep: SecondStep;
  readonly credentials: Credentials;
  readonly links: Links;
  readonly limits: Limits;
  readonly takenAddresses: TakenAddressLimit;
  readonly lostAddresses: LostAddresses;
  readonly security: SecurityLog;
  readonly mail: Outbox<AuthMails>;
  /** What is needed to notify teachers of feedback tasks. */
  readonly taskMails: NotifyOptions;
  /** Fulfilled when the read model of schools has reached the position. */
  readonly schoolShown: (position: bigint) => Promise<void>;
  readonly bus: Commands<AccountRequest>;
  /** The tables of read models with personal data. */
  readonly personal: readonly PersonalTable[];
  readonly publicUrl: string;
};
