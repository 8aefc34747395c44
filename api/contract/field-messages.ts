/** What every form says of a field. Apart from the other messages, for which the log-in page does not wait. */
export const REQUIRED = 'Required.';
export const INVALID_EMAIL = 'Invalid e-mail.';
