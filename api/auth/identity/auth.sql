-- Data of api/auth besides identities: mailed links, registrations, joinings in progress, counters. All of it is
-- short-lived and outside the log, as credentials are.

-- The identity of a joined student refers to the student: unique, so that nobody joins twice, even at the same time.
alter table identity."user" add column if not exists "studentId" text unique;

-- The address that an invitation went to. Whoever accepts it takes the address as the account's own; until then it is nobody's, and several
-- schools may invite it. An earlier version gave it to the account at once.
do $$ begin
  if not exists (select from information_schema.columns
                  where table_schema = 'identity' and table_name = 'user' and column_name = 'invitedEmail') then
    alter table identity."user" add column "invitedEmail" text;
    update identity."user" u set "invitedEmail" = email, email = gen_random_uuid()::text
     where not "emailVerified" and not exists (select from identity."account" a where a."userId" = u.id);
  end if;
end $$;
create index if not exists "user_invitedEmail_idx" on identity."user" ("invitedEmail");
create index if not exists "user_no_address_idx" on identity."user" ("accountId") where position('@' in email) = 0;

-- Links in mails, by the hash of their token. A used one stays until it expires, to distinguish it from one that never existed.
create table if not exists identity.links (
  token_hash bytea primary key,
  purpose text not null,
  subject text not null,
  about text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index if not exists links_subject on identity.links (purpose, subject);
-- When its mail was ordered, and when everything that opened the account was revoked (see account-for-update.ts), even while it was being used.
alter table identity.links add column if not exists ordered_at timestamptz not null default now();
alter table identity.links add column if not exists revoked_at timestamptz;

-- When all that opened the account was last revoked: a link that was ordered before, and made later, is dead. When this column is added,
-- accounts elsewhere that were linked earlier, perhaps by an address that was corrected since, have to be proved anew.
do $$ begin
  if not exists (select from information_schema.columns
                  where table_schema = 'identity' and table_name = 'user' and column_name = 'openingsClosedAt') then
    alter table identity."user" add column "openingsClosedAt" timestamptz;
    delete from identity."account" where "providerId" <> 'credential';
  end if;
end $$;

-- New schools that are not verified or not finalised yet.
create table if not exists identity.registrations (
  id uuid primary key,
  email text not null,
  name text not null,
  password text not null,
  created_at timestamptz not null default now()
);
create index if not exists registrations_email on identity.registrations (email);

-- New e-mail addresses whose owner has not opened the link yet.
create table if not exists identity.email_changes (
  account_id uuid primary key,
  email text not null,
  requested_at timestamptz not null default now()
);
-- The address at the time: if the account gets another one in the meantime, this change is void.
alter table identity.email_changes add column if not exists old_email text;
update identity.email_changes c set old_email = u.email from identity."user" u
 where c.old_email is null and u."accountId" = c.account_id::text;

-- Sessions in which the password was entered again recently.
create table if not exists identity.unlocks (
  session_token text primary key references identity."session" ("token") on delete cascade,
  until timestamptz not null
);

-- Counters of attempts, by the HMAC of who tried what.
create table if not exists identity.counters (
  key bytea primary key,
  count int not null,
  until timestamptz not null
);

-- Used robot checks.
create table if not exists identity.robot_checks (
  signature text primary key,
  expires_at timestamptz not null
);

-- Joining codes: the subject of each, and the code itself, encrypted, for the school's admins. The log decides which code is valid.
create table if not exists identity.join_codes (
  code_key bytea primary key,
  command_id uuid not null unique,
  school_id uuid not null,
  subject_id uuid not null,
  sealed_code bytea not null,
  issued_at timestamptz not null default now()
);
create index if not exists join_codes_subject on identity.join_codes (school_id, subject_id);

-- Students who are joining, from the code to the account.
create table if not exists identity.joinings (
  key bytea primary key,
  school_id uuid not null,
  subject_id uuid not null,
  code_tag text not null,
  stage text not null,
  birthdays int not null default 0,
  birthday_key bytea,
  -- [[choice, studentId or null for a decoy]]
  choices json,
  student_id uuid,
  expires_at timestamptz not null
);

-- Who waits for a place, from which site, since when, and when they last said so: see joining/places.ts.
alter table identity.joinings add column if not exists waits_site bytea;
-- Where it is the date that must wait, and nobody behind it.
alter table identity.joinings add column if not exists waits_day bytea;
alter table identity.joinings add column if not exists waits_since timestamptz;
alter table identity.joinings add column if not exists waits_at timestamptz;
create index if not exists joinings_waiting on identity.joinings (code_tag, waits_at) where waits_at is not null;

-- Dates of birth that were found on the way to joining, until an account follows. Site and day are HMACs. Cleared: staff have given the place
-- back.
drop table if exists identity.birthday_hits;
create table if not exists identity.joining_places (
  code_tag text not null,
  site bytea not null,
  day bytea not null,
  joining bytea not null,
  school_id uuid not null,
  subject_id uuid not null,
  taken_at timestamptz not null default now(),
  cleared boolean not null default false,
  primary key (code_tag, site, day)
);
create index if not exists joining_places_subject on identity.joining_places (school_id, subject_id);

-- Two-step sign-in. The secret and the recovery codes are sealed (api/security/sealed-text.ts).
alter table identity."user" add column if not exists "twoFactorEnabled" boolean not null default false;
create table if not exists identity."twoFactor" (
  "id" text not null primary key,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null references identity."user" ("id") on delete cascade,
  "verified" boolean default true,
  "failedVerificationCount" int default 0,
  "lockedUntil" timestamptz
);
create index if not exists "twoFactor_userId_idx" on identity."twoFactor" ("userId");
-- The time step of the last code that was used: it and earlier ones are refused.
alter table identity."twoFactor" add column if not exists "lastStep" int;
-- No device is trusted without a code.
delete from identity."verification" where identifier like 'trust-device-%';

-- A library did this in several statements; now each is a transaction that locks the user.
drop function if exists identity.end_what_began_before() cascade;
