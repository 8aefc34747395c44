import { authMessages, MIN_PASSWORD, MOST_NAME, MOST_PASSWORD } from '#api/contract/auth-messages';
import { requiredError } from './basic-checks.ts';

/** The field checks of the pages before the log-in; the server repeats them. */
export const passwordError = (text: string): string | undefined => (text === '' ? authMessages.required : newPasswordError(text));

/** Of a field that may stay empty. */
export const newPasswordError = (text: string): string | undefined => {
  if (text === '') return undefined;
  if (text.length < MIN_PASSWORD) return authMessages.passwordShort;
  return text.length > MOST_PASSWORD ? authMessages.passwordLong : undefined;
};

export const nameError = (text: string): string | undefined =>
  requiredError(text) ?? (text.trim().length > MOST_NAME ? authMessages.nameLong : undefined);

export const confirmationError = (password: string, confirmation: string): string | undefined =>
  password === '' && confirmation === '' ? authMessages.required : newConfirmationError(password, confirmation);

/** Of a password that may stay empty. */
export const newConfirmationError = (password: string, confirmation: string): string | undefined =>
  password === confirmation ? undefined : authMessages.passwordsDiffer;
