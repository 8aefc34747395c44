/** Tags: HMACs under a key of the school, for values that must be unique or recognised without being readable. */
import { createHmac, type KeyObject } from 'node:crypto';

/** The rule by which values are normalised and hashed; a prefix of every tag, so that a new rule can be distinguished. */
const RULE = '1';
const TAG_BYTES = 16;

/**
 * Equal for values of one `kind` that a school considers the same (ignoring surrounding space, letter case and Unicode form). Without the
 * school's key nobody can read the value or check guesses.
 */
export const tag = (schoolKey: KeyObject, kind: string, value: string): string =>
  `${RULE}.${hmac(schoolKey, 'tag', kind, normalised(value))}`;

/** The same for values in which every character matters, such as a joining code. */
export const exactTag = (schoolKey: KeyObject, kind: string, value: string): string =>
  `${RULE}.${hmac(schoolKey, 'exact tag', kind, value)}`;

/** The tag of a request's body, to detect that a key is used again with another body. 16 bytes, base64url. */
export const bodyTag = (schoolKey: KeyObject, canonicalText: string): string => hmac(schoolKey, 'body', canonicalText);

/** Rule 1: trim, NFC, lower case; composed again at the end, because lower case can take a composed letter apart. */
export const normalised = (value: string): string => value.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** Each piece is preceded by its length, so that different lists of pieces never collide. */
const hmac = (key: KeyObject, ...pieces: string[]): string => {
  let text = '';
  for (const piece of pieces) text += `${Buffer.byteLength(piece)}:${piece}`;
  return createHmac('sha256', key).update(text).digest().toString('base64url', 0, TAG_BYTES);
};

/**
 * JSON with sorted keys (by UTF-16 units, as in RFC 8785): the same text however the sender ordered the keys. An undefined property counts
 * as absent.
 *
 * @throws TypeError for what is no JSON
 */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  // As JSON writes them, but faster than JSON.stringify for the million numbers of a file.
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return `${value}`;
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is no JSON`);
  if (Array.isArray(value)) return canonicalArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('an instance of a class is no JSON');
  return canonicalObject(value as Readonly<Record<string, unknown>>);
};

const canonicalArray = (values: readonly unknown[]): string => {
  let text = '';
  for (const value of values) text += text === '' ? canonical(value) : `,${canonical(value)}`;
  return `[${text}]`;
};

const canonicalObject = (members: Readonly<Record<string, unknown>>): string => {
  let text = '';
  for (const key of Object.keys(members).sort()) {
    const value = members[key];
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(value)}`;
  }
  return `{${text}}`;
};
