/** The text of a uuid in lower case, of any version: a regular expression's part, without a group. */
export const UUID_TEXT = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const WHOLE = new RegExp(`^${UUID_TEXT}$`);

/** Whether a text is a uuid in lower case, as ids of schools, people and things are. */
export const isUuid = (text: string): boolean => WHOLE.test(text);
