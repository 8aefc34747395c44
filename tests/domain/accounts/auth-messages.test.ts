import { expect, test } from 'vitest';
import {
  BANNER_CHARACTERS,
  BANNER_MS,
  CODE_LENGTH,
  authMessages,
  EARLIEST_BIRTHDAY,
  isJoinCode,
  isUsername,
  MIN_PASSWORD,
  MIN_SCHOOL_NAME,
  NAME_CHOICES,
} from '../../../api/contract/auth-messages.ts';

/** Other tests look for what pages and answers say by the name of the sentence; here each is written out. */
test('signing in, joining and accounts have these sentences and these limits', () => {
  expect(authMessages).toMatchObject({
    required: 'Required.',
    invalidEmail: 'Invalid e-mail.',
    passwordHint: 'At least 8 characters',
    passwordShort: 'Min 8 characters',
    passwordLong: 'At most 128 characters.',
    nameLong: 'At most 50 characters.',
    passwordsDiffer: 'Passwords do not match.',
    termsMissing: "You must agree to the T&C's",
    invalidUsername: 'Invalid username',
    loginFailed: 'Login failed',
    registrationFailed: 'This operation failed. Please check your input and try again',
    registered: 'Success: Please check your email to continue setup',
    finalised: 'Success: You can now log into Marktrail',
    wrongCode: 'The code you entered was not correct, please check and try again. Note, the code is case sensitive.',
    wrongName: 'The data you entered does not match our records. Please try again',
    resetFailed: 'This operation could not be completed successfully. Please try again.',
    wrongPassword: 'The password you entered is incorrect',
    profileFailed: 'The profile could not be updated',
    profileUpdated: 'The profile was updated successfully',
    unauthorised: ['Unauthorised', 'You cannot view this page'],
    oops: 'Oops...',
  });
  const limits = { MIN_PASSWORD, MIN_SCHOOL_NAME, CODE_LENGTH, NAME_CHOICES, EARLIEST_BIRTHDAY, BANNER_MS, BANNER_CHARACTERS };
  expect(limits).toEqual({
    MIN_PASSWORD: 8,
    MIN_SCHOOL_NAME: 8,
    CODE_LENGTH: 7,
    NAME_CHOICES: 10,
    EARLIEST_BIRTHDAY: '1950-01-01',
    BANNER_MS: 30_000,
    BANNER_CHARACTERS: 800,
  });
});

test('a username holds letters, digits and + _ . -; a joining code seven letters or digits', () => {
  for (const good of ['a.b-c_d+1', 'Lukasz9']) expect([good, isUsername(good)]).toEqual([good, true]);
  for (const bad of ['', 'a b', 'a@b', 'ü', 'a/b', "a'b"]) expect([bad, isUsername(bad)]).toEqual([bad, false]);
  expect(isJoinCode('aB3dE6g')).toBe(true);
  for (const bad of ['aB3dE6', 'aB3dE6gh', 'aB3 E6g', 'aB3dE6!']) expect([bad, isJoinCode(bad)]).toEqual([bad, false]);
});
