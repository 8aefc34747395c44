import { INVALID_EMAIL, REQUIRED } from '#api/contract/field-messages';

/** The field checks of the log-in page too. */
export const emailError = (text: string): string | undefined =>
  requiredError(text) ?? (/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text.trim()) ? undefined : INVALID_EMAIL);

export const requiredError = (text: string): string | undefined => (text.trim() === '' ? REQUIRED : undefined);

/** The text of a form field; empty if there is no such field. */
export const fieldText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};
