-- Identities: who can log in. None of this is ever in the log. The tables have the names and types of the library that once kept them
-- (docs/decisions/23-log-ins-are-our-own.md).
create schema if not exists identity;

create table if not exists identity."user" (
  "id" text not null primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz default current_timestamp not null,
  "accountId" text not null unique,
  "schoolId" text not null
);

create table if not exists identity."session" (
  "id" text not null primary key,
  "expiresAt" timestamptz not null,
  "token" text not null unique,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references identity."user" ("id") on delete cascade
);
create index if not exists "session_userId_idx" on identity."session" ("userId");
-- When it was last used by a person, to the minute, and when it ends unless it is used (api/auth/log-in/session-actors.ts): at first soon.
alter table identity."session" add column if not exists "usedAt" timestamptz;
alter table identity."session" add column if not exists "idleAt" timestamptz not null default now() + interval '30 minutes';
-- What its owner calls it, of a bearer token that was made in a profile.
alter table identity."session" add column if not exists "tokenName" text;

-- What opens a user's account: 'credential', the password; 'school', whom the provider of log-ins knows as "accountId".
create table if not exists identity."account" (
  "id" text not null primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references identity."user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz not null
);
create index if not exists "account_userId_idx" on identity."account" ("userId");

-- Log-ins that wait: for a code ("value" is the user), or at the provider.
create table if not exists identity."verification" (
  "id" text not null primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz default current_timestamp not null
);
create index if not exists "verification_identifier_idx" on identity."verification" ("identifier");
-- How many codes were given.
alter table identity."verification" add column if not exists codes int not null default 0;

-- The role according to the log at the last log-in: if set, it takes precedence over a read model that may be behind.
alter table identity."user" add column if not exists "roleNow" text;

-- The accounts behind sessions. The role that reads the read models may call this function, but read nothing else of identities.
-- In plpgsql, which caches its plan; a security definer function in SQL is planned with every call.
create or replace function identity.signed_in(tokens text[]) returns table (token text, account_id uuid, school_id uuid, role text)
language plpgsql stable security definer rows 1 set search_path = identity, pg_temp as $$
begin
  return query
  select s.token, u."accountId"::uuid, u."schoolId"::uuid, u."roleNow"
    from session s join "user" u on u.id = s."userId"
   where s.token = any (tokens) and s."expiresAt" > now() and s."idleAt" > now();
end $$;
grant usage on schema identity to public;
