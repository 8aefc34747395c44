/** What the headings of other systems mean. */
import { hasLetter } from './cells.ts';
import type { Role, Rows, Target, Value } from './target.ts';
import { valueIn } from './target.ts';

/** 'Date of birth:' -> 'date of birth' */
export const plain = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();

const list = (text: string): readonly string[] => text.split(',').map((one) => one.trim());

/** As other systems head them, the best first: of two columns that fit, the one whose heading stands further in front is taken. */
export const HEADINGS: Readonly<Record<Exclude<Role, '' | 'first-last' | `v${number}`>, readonly string[]>> = {
  id: list(
    `studentid, student id, adno, adm no, admno, admission no, admission number, admission, id number, idnumber, student number, student no,
     pupil id, pupil number, pupil no, identifier, sis user id, sis id, sis login id, mis id, external id, school id, local id,
     candidate number, candidate no, exam number, username, user id, id, upn`,
  ),
  name: list(
    `lastfirst, last first, name, student name, student, full name, fullname, pupil name, pupil, learner, learner name, display name,
     preferred name, legal name, candidate, candidate name, students, names`,
  ),
  surname: list(
    `surname, last name, lastname, family name, familyname, legal surname, legal last name, preferred surname, preferred last name, last`,
  ),
  first: list(
    `first name, firstname, forename, given name, givenname, legal forename, legal first name, preferred forename, preferred first name,
     forenames, first names, given names, first`,
  ),
  set: list(
    `set, set name, teaching set, teaching group, class, class name, classes, class code, course, section, group, groups, reg group,
     registration group, reg, registration form, tutor group, form, form group, homeroom`,
  ),
  birth: list(`dob, date of birth, d o b, birth date, birthdate, birthday, born, dateofbirth`),
};

/** What stands over no column that we take: neither the sums of others nor what was made of them. */
export const NEITHER =
  /^(?:total|totals|sum|%|per ?cent|percentage|average|mean|rank|position|grade|level|email.*|e mail.*|comment.*|notes?|status|year|year group|gender|sex|no|nr)$/;

export const roleOf = (heading: string, { roles, values }: Target): Role => {
  const text = plain(heading);
  if (text === '') return '';
  const at = placesOf(values).get(text);
  if (at !== undefined) return `v${at}`;
  const role = roles.find((one) => one !== 'first-last' && HEADINGS[one].includes(text));
  if (role) return role;
  const number = questionIn(heading);
  return number && number.part === '' && number.number > 0 && number.number <= values.length && isOfQuestions(values)
    ? `v${number.number - 1}`
    : '';
};

/** Each value by how it may be headed; if two may, the first. Made once for a paper, because every cell of the first rows is looked up. */
const placesOf = (values: readonly Value[]): ReadonlyMap<string, number> => {
  const before = places.get(values);
  if (before) return before;
  const all = values.flatMap(({ name, also = [] }, at) => [name, ...also].map((one) => [plain(one), at] as const));
  const made = new Map(all.toReversed());
  places.set(values, made);
  return made;
};
const places = new WeakMap<readonly Value[], ReadonlyMap<string, number>>();

export const isOfQuestions = (values: readonly Value[]): boolean => values.some(({ name }) => /^Q\d+$/.test(name));

/** 'Q3 (6)', '3', '1(b)(i)', 'Question 2a /4': its number, and which part of it. */
export const questionIn = (heading: string): { readonly number: number; readonly part: string } | undefined => {
  const text = heading.replace(MAX_IN_HEADING, '').trim();
  const found = /^(?:q(?:u(?:estion)?|n)?|item|no)?[\s.:#]*0*(\d{1,3})((?:[\s.(-]*(?:[a-z]|[ivx]{1,4}|\d{1,2})\)?)*)$/i.exec(text);
  return found ? { number: Number(found[1]), part: (found[2] ?? '').replace(/[^a-z0-9]/gi, '').toLowerCase() } : undefined;
};

const MAX_IN_HEADING =
  /\s*(?:[([]\s*)?(?:\/|out of|max(?:imum)?\.?|of(?= \d)|(?<=[([]))\s*(\d{1,3})(?:[.,]0+)?\s*(?:marks?|points?|pts|p)?\s*[)\]]?$/i;
export const maxInHeading = (heading: string): number | undefined => {
  const found = MAX_IN_HEADING.exec(heading)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Where headings are parts of questions (1a, 1b, 2), or numbers that are not the paper's, they are the questions in their order, if there are as many. */
export const withPapersOrder = (headings: readonly string[], roles: readonly Role[], { values }: Target): readonly Role[] => {
  if (!isOfQuestions(values)) return roles;
  const columns = headings.flatMap((heading, column) => {
    const isQuestion = questionIn(heading) !== undefined && (roles[column] === '' || valueIn(roles[column] ?? '') !== undefined);
    return isQuestion ? [column] : [];
  });
  const hasParts = columns.some((column) => questionIn(headings[column] ?? '')?.part !== '');
  if (!hasParts) return roles;
  return roles.map((role, column) => {
    const at = columns.indexOf(column);
    return at < 0 ? role : columns.length === values.length ? (`v${at}` as const) : '';
  });
};

/** Columns of values under a name of their own: each is the first that is free. */
export const withHeaded = (headings: readonly string[], roles: readonly Role[], { values, heads }: Target): readonly Role[] => {
  const free = values.flatMap((_, at) => (roles.includes(`v${at}`) ? [] : [`v${at}` as const]));
  return roles.map((role, column) => (role === '' && heads?.(headings[column] ?? '') ? (free.shift() ?? '') : role));
};

/** Rows among which the headings are. */
const ABOVE = 25;

/** The row with the most headings among the first ones. One that holds somebody known is none. */
export const headerOf = (rows: Rows, target: Target): number | undefined => {
  let best: { readonly row: number; readonly score: number } | undefined;
  for (const [row, cells] of rows.slice(0, ABOVE).entries()) {
    const roles = cells.map((cell) => roleOf(cell, target));
    const who = roles.filter((role) => role !== '' && valueIn(role) === undefined).length;
    // Bare numbers may be marks, unless something else says that these are headings.
    const headed = cells.filter((cell, at) => valueIn(roles[at] ?? '') !== undefined && (who > 0 || hasLetter(cell))).length;
    const score = who * 3 + headed + cells.filter((cell) => NEITHER.test(plain(cell))).length;
    const isSomebody = cells.some((cell, at) => roles[at] === '' && hasLetter(cell) && target.knows?.(cell));
    // Over one column alone stands one heading.
    if (!isSomebody && score > (best?.score ?? (cells.length === 1 ? 0 : 1))) best = { row, score };
  }
  return best?.row;
};

/** Each role once: of two columns the one with the better heading keeps it, of values the first. */
export const once = (headings: readonly string[], roles: readonly Role[]): readonly Role[] => {
  const rank = (column: number): number => {
    const role = roles[column] ?? '';
    return role === '' || valueIn(role) !== undefined
      ? column
      : ((HEADINGS as Readonly<Record<string, readonly string[]>>)[role]?.indexOf(plain(headings[column] ?? '')) ?? column);
  };
  const best = new Map<Role, number>();
  for (const [column, role] of roles.entries()) if (rank(column) < rank(best.get(role) ?? -1) || !best.has(role)) best.set(role, column);
  return roles.map((role, column) => (best.get(role) === column ? role : ''));
};
