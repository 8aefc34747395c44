import { createRequire } from 'node:module';
import { authMessages } from '../../contract/auth-messages.ts';
import { invalidInput } from '../../common/problems.ts';

/** What an attacker knows about the person. */
export type Known = { readonly email: string; readonly name?: string | undefined; readonly school?: string | undefined };

/**
 * Why a password would be guessed soon: it is a common one, whatever digits, signs and capitals surround it or replace letters; it is a
 * pattern; or it consists of what is known about its owner. Undefined: none of these. The length is checked by the schema.
 */
export const passwordProblem = (password: string, person: Known): string | undefined => {
  if (isPattern(password)) return authMessages.passwordPattern;
  if (spellings(password).some(isKnownPassword)) return authMessages.passwordCommon;
  if (isMadeOf(wordsAbout(person), password)) return authMessages.passwordAboutYou;
  return undefined;
};

/** @throws ProblemError `invalid-input` with the reason */
export const requireGoodPassword = (password: string, person: Known): void => {
  const message = passwordProblem(password, person);
  if (message !== undefined) throw invalidInput('password', message);
};

/**
 * The words that a password may be made of: as it is, without what surrounds its letters, and with digits read as the letters they
 * resemble.
 */
const spellings = (password: string): string[] => {
  const plain = password.toLowerCase();
  const bare = plain.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const read = (text: string, one: string): string =>
    text.replace(
      /[0134578@$!]/g,
      (sign) => ({ '0': 'o', '1': one, '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '!': one })[sign] ?? sign,
    );
  return [
    plain,
    bare,
    ...['i', 'l'].flatMap((one) => [read(plain, one), read(bare, one), read(plain, one).replace(/[^a-z]/g, '')]),
  ].flatMap((word) => [word, half(word)]);
};

/** A word written twice is that word. */
const half = (word: string): string => {
  const middle = word.length / 2;
  return word.slice(0, middle) === word.slice(middle) ? word.slice(0, middle) : word;
};

const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'];

/** Few different characters, a date, or runs along the alphabet, the digits or a keyboard row with hardly anything else. */
const isPattern = (password: string): boolean => {
  const plain = password.toLowerCase();
  if (new Set(plain).size < 4) return true;
  if (/^\d{8,10}$/.test(plain)) return true;
  let rest = plain;
  for (const row of [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))]) {
    for (let from = 0; from < row.length; from++) {
      let length = 0;
      for (let to = from + 4; to <= row.length && rest.includes(row.slice(from, to)); to++) length = to - from;
      if (length > 0) rest = rest.replace(row.slice(from, from + length), '');
    }
  }
  return rest.length < plain.length && rest.replace(/(.)\1+/g, '$1').length < 4;
};

/** The longest first. Of the name also what is short; elsewhere that is `of` and `the`. */
const wordsAbout = ({ email, name = '', school = '' }: Known): string[] => {
  const mailbox = email.split('@')[0] ?? '';
  const long = [email, mailbox, ...mailbox.split(/[._+-]/), ...school.split(/[\s,]+/)].filter((word) => word.length >= LEAST);
  const short = name.split(/[\s,]+/).filter((word) => word.length >= 2);
  return [...long, ...short].map((word) => word.toLowerCase()).toSorted((one, other) => other.length - one.length);
};

/** Whether the password is some of these words, in any order, with fewer than eight other characters: a year, a sign between them. */
const isMadeOf = (words: readonly string[], password: string): boolean => {
  const plain = password.toLowerCase().replace(/\s/g, '');
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain);
  return plain.length - rest.length >= LEAST && rest.length < 8;
};
const LEAST = 4;

/** Guesses that are likely at a school and missing in general lists. */
const OURS = `marktrail schooling highschool pupil pupils classroom maths geography headteacher footballer grade grades exam exams
  superuser welcomeback accessgranted thepassword yourpassword ourpassword testpassword demodemo correcthorsebatterystaple
  leedsunited manchestercity juventusfc fortnite roblox instagram whatsapp snapchat tiktok taylorswift onedirection harleydavidson
  mercedesbenz hallowelt`;

let knownPasswords: ReadonlySet<string> | undefined;

/**
 * Whether a word, in lower case, is one of about 50,000 commonly used passwords, from zxcvbn's list of leaked ones. The list is loaded when
 * somebody first chooses a password, because that takes a quarter of a second and about 20 MB.
 */
const isKnownPassword = (word: string): boolean => (knownPasswords ??= readKnownPasswords()).has(word);

const readKnownPasswords = (): ReadonlySet<string> => {
  // Only the list: the package's entry point also loads dictionaries and keyboards that are not used here.
  const leaked = createRequire(import.meta.url)('@zxcvbn-ts/language-common/dist/passwords.json.cjs') as readonly string[];
  return new Set([...leaked, ...OURS.split(/\s+/)]);
};
