import { describe, expect, test } from 'vitest';
import type { Actor } from '../../api/actor.ts';
import { asPresumed } from '../../api/http/presumed.ts';

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

/** Writes his sets down once he is sure to be who he is. */
const written: string[] = [];
const save = async (actor: Actor, sure: Promise<void>): Promise<string> => {
  await sure;
  written.push(actor.setIds.join());
  return actor.setIds.join();
};

describe('who asks is looked up while his request is read', () => {
  test('presumed rightly, it is done once', async () => {
    written.length = 0;
    expect(await asPresumed({ presumed: teacher, actor: Promise.resolve({ ...teacher }) }, save)).toBe('11X1');
    expect(written).toEqual(['11X1']);
  });

  test('whose rights have changed acts with those of now only', async () => {
    written.length = 0;
    expect(await asPresumed({ presumed: teacher, actor: Promise.resolve(moved) }, save)).toBe('11X2');
    expect(written).toEqual(['11X2']);
  });

  test('whose session has ended does nothing', async () => {
    written.length = 0;
    const actor = Promise.reject<Actor>(new Error('Log in first.'));
    await expect(asPresumed({ presumed: teacher, actor }, save)).rejects.toThrow('Log in first.');
    expect(written).toEqual([]);
  });

  test('a refusal that a wrong presumption caused is none', async () => {
    const refuse = async (actor: Actor): Promise<string> => {
      if (actor.setIds.includes('11X1')) throw new Error('You may not write in this class.');
      return 'stored';
    };
    expect(await asPresumed({ presumed: teacher, actor: Promise.resolve(moved) }, refuse)).toBe('stored');
    await expect(asPresumed({ presumed: teacher, actor: Promise.resolve({ ...teacher }) }, refuse)).rejects.toThrow('You may not write');
  });

  test('nobody knows him yet: he is waited for', async () => {
    written.length = 0;
    await asPresumed({ presumed: undefined, actor: Promise.resolve(moved) }, save);
    expect(written).toEqual(['11X2']);
  });
});
