/** The messages of the pages for signing in, joining and one's account, and their limits. Without schemas, so that its pages stay small. */

import { INVALID_EMAIL, REQUIRED } from './field-messages.ts';

export const MIN_PASSWORD = 8;
export const MOST_PASSWORD = 128;
/** Of the name of a person. */
export const MOST_NAME = 50;
export const CODE_LENGTH = 7;
export const NAME_CHOICES = 10;
/** The earliest date of birth that the picker offers; the latest is today. */
export const EARLIEST_BIRTHDAY = '1950-01-01';
export const BANNER_MS = 30_000;
export const BANNER_CHARACTERS = 800;
export const MIN_SCHOOL_NAME = 8;
/** How many days a bearer token is good for, at most. */
export const MOST_TOKEN_DAYS = 30;

export const authMessages = {
  required: REQUIRED,
  invalidEmail: INVALID_EMAIL,
  passwordHint: 'At least 8 characters',
  passwordShort: 'Min 8 characters',
  passwordLong: `At most ${MOST_PASSWORD} characters.`,
  nameLong: `At most ${MOST_NAME} characters.`,
  passwordsDiffer: 'Passwords do not match.',
  termsMissing: "You must agree to the T&C's",
  schoolShort: 'Min 8 characters',
  invalidUsername: 'Invalid username',
  usernameHint: 'Letters, digits and + _ . - only',
  selectRole: 'Select a role',
  invalidDomain: 'Invalid domain.',

  loginFailed: 'Login failed',
  registrationFailed: 'This operation failed. Please check your input and try again',
  registered: 'Success: Please check your email to continue setup',
  finalised: 'Success: You can now log into Marktrail',
  wrongCode: 'The code you entered was not correct, please check and try again. Note, the code is case sensitive.',
  wrongName: 'The data you entered does not match our records. Please try again',
  resetFailed: 'This operation could not be completed successfully. Please try again.',
  wrongPassword: 'The password you entered is incorrect',
  otherEmail: 'The link was sent to another e-mail address.',
  profileFailed: 'The profile could not be updated',
  profileUpdated: 'The profile was updated successfully',
  unauthorised: ['Unauthorised', 'You cannot view this page'],
  addTeacherFailed: 'Add teacher failed. Please check the email address is valid, and not already in use',
  accountActivated: 'Account activated',
  oops: 'Oops...',

  /** Accounts, joining, log-in and passwords. */
  loggedOut: 'You have been logged out in another tab of this browser.',
  next: 'Log in to see that page. If you were logged in here, your session has ended.',
  forgotten: 'If there is an account with this e-mail address, a link is on its way to it.',
  passwordChanged: 'Your new password is set. You can now log in with it.',
  emailConfirmed: 'Your e-mail address is confirmed.',
  linkDead: 'This link has been used already, or is too old. Ask for a new one.',
  noBirthday: 'The date of birth must be between 01/01/1950 and today.',
  joinAgain: 'That took too long, or was started elsewhere. Enter your code again.',
  joinedAlready: 'You have joined already: log in.',
  noStudent: 'There is no such student.',
  emailTaken: 'This e-mail address is in use already.',
  invitationTaken: 'This e-mail address is in use already, for another account. Ask your school to invite you at another one.',
  noAddress:
    'This account has lost its e-mail address to somebody who proved that it is theirs. Delete it, and let the student join again.',
  tooMany: 'Too many attempts. Wait a while, and try again.',
  busy: 'A great many people are logging in just now. Wait a few seconds, and try again.',
  robot: 'The robot check did not succeed. Please try again.',
  locked: 'Enter your current password first.',
  wrongTwoStepCode: 'This code is not right. Try again.',
  twoStepAgain: 'That took too long. Log in again.',
  tokenDays: `From 1 to ${MOST_TOKEN_DAYS} days.`,
  tokenOfProfile: 'A token that was made in the profile changes neither password nor address: log in.',
  noTokenForPassword: 'This account has two-step sign-in, which the password grant cannot ask for. Make a token in your profile.',
  tokenEndsNoOther: 'A token ends no other log-in: log in.',
  viewOnly: 'You are viewing as a student: nothing can be changed here.',
  passwordCommon: 'This password is among the first that anybody would guess. Choose another.',
  passwordPattern: 'A password of repeated or consecutive characters is guessed at once. Choose another.',
  passwordAboutYou: 'This password contains your name, your e-mail address or the name of your school. Choose another.',
} as const;

/** Why no new school registers here. `operator`: the address of whoever runs the installation. */
export const registrationClosed = (operator?: string): string =>
  `New schools do not register themselves here: ${operator === undefined ? 'ask whoever runs this installation' : `write to ${operator}`}.`;

/** The part of an address before the @; the school's domain is appended. */
export const isUsername = (text: string): boolean => /^[A-Za-z0-9+_.-]{1,64}$/.test(text);
export const isJoinCode = (text: string): boolean => /^[A-Za-z0-9]{7}$/.test(text);
