import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../api/actor.ts';
import { StaleSession, withCachedSession } from '../../api/pipeline/optimistic-session.ts';

const teacher: Actor = {
  accountId: 'a',
  schoolId: 's',
  role: 'teacher',
  name: 'Ms Okoro',
  email: '',
  subjectIds: ['maths'],
  setIds: ['11X1'],
  studentId: null,
};
const moved: Actor = { ...teacher, setIds: ['11X2'] };

describe('who asks is looked up while their request is read', () => {
  const written: string[] = [];
  let present: Actor;
  const cached = { session: 'token', actor: teacher };
  const now = async (): Promise<Actor> => present;
  /** Writes down the sets of whoever it is, once they are not only cached. */
  const save = async (actor: Actor, sessionToCheck?: string): Promise<string> => {
    if (sessionToCheck !== undefined && present !== teacher) throw new StaleSession();
    written.push(actor.setIds.join());
    return actor.setIds.join();
  };

  beforeEach(() => {
    written.length = 0;
    present = teacher;
  });

  test('as cached, it is done once', async () => {
    expect(await withCachedSession(cached, now, save)).toBe('11X1');
    expect(written).toEqual(['11X1']);
  });

  test('whose rights have changed acts with those of now only', async () => {
    present = moved;
    expect(await withCachedSession(cached, now, save)).toBe('11X2');
    expect(written).toEqual(['11X2']);
  });

  test('whose session has ended does nothing', async () => {
    present = moved;
    const gone = (): Promise<Actor> => Promise.reject(new Error('Log in first.'));
    await expect(withCachedSession(cached, gone, save)).rejects.toThrow('Log in first.');
    expect(written).toEqual([]);
  });

  test('a refusal that a stale session caused is none', async () => {
    const refuse = async (actor: Actor): Promise<string> => {
      if (actor.setIds.includes('11X1')) throw new Error('You may not enter marks for this class.');
      return 'stored';
    };
    await expect(withCachedSession(cached, now, refuse)).rejects.toThrow('You may not enter marks');
    present = moved;
    expect(await withCachedSession(cached, now, refuse)).toBe('stored');
  });

  test('nobody knows them yet: they are looked up first', async () => {
    present = moved;
    await withCachedSession(undefined, now, save);
    expect(written).toEqual(['11X2']);
  });
});
