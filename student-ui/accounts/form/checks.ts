import { authMessages, MIN_PASSWORD } from '#api/contract/auth-messages';

/** The field checks of the pages before the log-in; the server repeats them. */
export const emailError = (text: string): string | undefined =>
  text.trim() === '' ? authMessages.required : /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text.trim()) ? undefined : authMessages.invalidEmail;

export const passwordError = (text: string): string | undefined =>
  text === '' ? authMessages.required : text.length < MIN_PASSWORD ? authMessages.passwordShort : undefined;

export const confirmationError = (password: string, confirmation: string): string | undefined =>
  password === confirmation ? undefined : authMessages.passwordsDiffer;

export const requiredError = (text: string): string | undefined => (text.trim() === '' ? authMessages.required : undefined);
