import type { Pool } from 'pg';
import type { Outbox } from '../mail/outbox.ts';
import type { Accounts } from './accounts.ts';
import type { Credentials } from './credentials.ts';
import type { Identity } from './identity.ts';
import type { DoorMails } from './door-mails.ts';
import type { Limits } from './limits.ts';
import type { Links } from './links.ts';
import type { Secrets } from './secrets.ts';

/** What everybody who comes in by the front door is served with. */
export type Door = {
  /** The owner's connections: before somebody is signed in there is no school to look through. */
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly identity: Identity;
  readonly credentials: Credentials;
  readonly links: Links;
  readonly limits: Limits;
  readonly mail: Outbox<DoorMails>;
  readonly accounts: Accounts;
  readonly publicUrl: string;
};
