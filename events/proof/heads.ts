/** The table of signed heads (heads.sql), and its copy in a file beside the data. */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { migration } from '../store/postgres/migration.ts';
import { signedHead, type Head, type SignedHead, type SigningKey } from './head.ts';

/** Held while heads are signed or exported. */
const LOCK = '1835102829';

export const migrateHeads = migration(LOCK, new URL('heads.sql', import.meta.url));

/** The heads after number `after`, in the order of signing. */
export const storedHeads = async (client: Pick<ClientBase, 'query'>, after = 0): Promise<SignedHead[]> => {
  const { rows } = await client.query<SignedHead & { keeps: number | null; by: string; reason: string }>(
    `select number::float8, school_id as school, size, root, at, key_id as "keyId", public_key as "publicKey", signature, keeps, by, reason
       from proof.heads where number > $1 order by number`,
    [after],
  );
  return rows.map(({ keeps, by, reason, ...head }) => (keeps === null ? head : { ...head, accepted: { keeps, by, reason } }));
};

/** Whether anything was ever signed here. */
export const hasHeads = async (client: Pick<ClientBase, 'query'>): Promise<boolean> =>
  (await client.query('select from proof.heads limit 1')).rows.length > 0;

/** Signs the heads that are beyond every valid one of their school, and those that accept a log. */
export const signHeads = async (pool: Pool, heads: readonly Head[], key: SigningKey): Promise<void> => {
  await locked(pool, async (client) => {
    const signed = heads.map((head) => ({ ...head, ...key.sign(head), ...head.accepted }));
    await client.query(
      `insert into proof.heads (number, school_id, size, root, at, key_id, public_key, signature, keeps, by, reason)
       select (select coalesce(max(number), 0) from proof.heads) + row_number() over (), h.*
         from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::text[], $10::text[])
              as h (school_id, size, root, at, key_id, public_key, signature, keeps, by, reason)
        where h.keeps is not null
           or not exists (select from proof.standing_heads s where s.school_id = h.school_id and s.size >= h.size)`,
      COLUMNS.map((name) => signed.map((head) => head[name] ?? null)),
    );
  });
};
const COLUMNS = ['school', 'size', 'root', 'at', 'keyId', 'publicKey', 'signature', 'keeps', 'by', 'reason'] as const;

/** The file has heads that are not in this database: it belongs to another log, or the database was restored. */
export class HeadsFileDiffers extends Error {
  override readonly name = 'HeadsFileDiffers';
}

/**
 * Appends the missing heads to the file. A line that was cut by a crash is written again.
 *
 * @throws HeadsFileDiffers
 */
export const exportHeads = async (pool: Pool, path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  // Under the lock, so that two processes do not write to one file.
  await locked(pool, async (client) => {
    const file = await open(path, 'a+', 0o644);
    try {
      const { last, end } = await lastLine(file);
      const [stored] = last ? await storedHeads(client, last.number - 1) : [];
      if (last && stored?.signature !== last.signature)
        throw new HeadsFileDiffers(`${path} has heads that are not in this database: move it elsewhere`);
      const news = await storedHeads(client, last?.number);
      if (news.length === 0) return;
      await file.truncate(end);
      await file.appendFile(news.map(headLine).join(''));
      await file.datasync();
    } finally {
      await file.close();
    }
  });
};

export const headLine = (head: SignedHead): string => `${JSON.stringify(head)}\n`;

/** A file of heads is invalid: the message names the file and the line. */
export class HeadsUnreadable extends Error {
  override readonly name = 'HeadsUnreadable';
}

/** @throws HeadsUnreadable */
export const headsIn = (text: string, source: string): SignedHead[] =>
  text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const head = parsed(line);
      if (!head) throw new HeadsUnreadable(`${source}, line ${number}, is not a signed head: it was truncated or edited.`);
      return head;
    });

const parsed = (line: string): SignedHead | undefined => {
  try {
    return signedHead.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};

/** `end`: where the last whole line ends. */
const lastLine = async (file: FileHandle): Promise<{ last: SignedHead | undefined; end: number }> => {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, SOME_LINES));
  await file.read(tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf('\n') + 1;
  const line = tail.subarray(end < 2 ? 0 : tail.lastIndexOf('\n', end - 2) + 1, end).toString();
  return { last: headsIn(line, 'the last line')[0], end: size - tail.length + end };
};

/** Bytes: more than two lines. */
const SOME_LINES = 4096;

const locked = async (pool: Pool, work: (client: ClientBase) => Promise<void>): Promise<void> => {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${LOCK})`);
    await work(client);
    await client.query('commit');
    broken = false;
  } finally {
    client.release(broken);
  }
};
