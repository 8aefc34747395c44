import { doorWords, MIN_PASSWORD } from '#api/contract/auth-messages';

/** The field checks of the pages before the log-in; the server repeats them. */
export const emailError = (text: string): string | undefined =>
  text.trim() === '' ? doorWords.required : /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text.trim()) ? undefined : doorWords.invalidEmail;

export const passwordError = (text: string): string | undefined =>
  text === '' ? doorWords.required : text.length < MIN_PASSWORD ? doorWords.passwordShort : undefined;

export const confirmationError = (password: string, confirmation: string): string | undefined =>
  password === confirmation ? undefined : doorWords.passwordsDiffer;

export const requiredError = (text: string): string | undefined => (text.trim() === '' ? doorWords.required : undefined);
