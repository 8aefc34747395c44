import type { Pool } from 'pg';
import type { Outbox } from '../mail/outbox.ts';
import type { Accounts } from './accounts.ts';
import type { Credentials } from './credentials.ts';
import type { Identity } from './identity.ts';
import type { DoorMails } from './door-mails.ts';
import type { SecurityLog } from '../security/security-log.ts';
import type { Limits } from './limits.ts';
import type { Links } from './links.ts';
import type { LostAddresses } from './proof.ts';
import type { Secrets } from './secrets.ts';
import type { TakenAddresses } from './taken.ts';

/** The services that the parts of the front door share. */
export type Door = {
  /** Connections of the database's owner, without row-level security: before somebody is signed in there is no school. */
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly identity: Identity;
  readonly credentials: Credentials;
  readonly links: Links;
  readonly limits: Limits;
  readonly taken: TakenAddresses;
  readonly lost: LostAddresses;
  readonly security: SecurityLog;
  readonly mail: Outbox<DoorMails>;
  readonly accounts: Accounts;
  readonly publicUrl: string;
};
