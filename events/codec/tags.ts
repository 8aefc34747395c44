/** Tags: what must be unique or recognised without being readable, as HMACs under a key of the school. */
import { createHmac, type KeyObject } from 'node:crypto';

/** Of the rule by which a value is normalised and hashed; stands before every tag, so that a new rule is told from the old. */
const RULE = '1';
const TAG_BYTES = 16;

/**
 * Equal for values that a school takes for the same (surrounding space, letter case and Unicode form do not count), of one `kind`.
 * Whoever lacks the school's key can neither read the value nor try guesses.
 */
export const tag = (schoolKey: KeyObject, kind: string, value: string): string =>
  `${RULE}.${hmac(schoolKey, 'tag', kind, normalised(value))}`;

/** The same for values of which every letter counts, such as a joining code. */
export const exactTag = (schoolKey: KeyObject, kind: string, value: string): string =>
  `${RULE}.${hmac(schoolKey, 'exact tag', kind, value)}`;

/** Of a request: the same key with another body is another request. 16 bytes, base64url. */
export const bodyTag = (schoolKey: KeyObject, canonicalText: string): string => hmac(schoolKey, 'body', canonicalText);

/** Rule 1: trim, NFC, lower case; composed again at the end, because lower case can take a composed letter apart. */
export const normalised = (value: string): string => value.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** Each piece with its length before it, so that no two lists of pieces look alike. */
const hmac = (key: KeyObject, ...pieces: string[]): string => {
  const mac = createHmac('sha256', key);
  for (const piece of pieces) mac.update(`${Buffer.byteLength(piece)}:${piece}`);
  return mac.digest().toString('base64url', 0, TAG_BYTES);
};

/**
 * JSON with sorted keys (by UTF-16 units, as RFC 8785): one text for one request, however its sender ordered it. A property that is
 * undefined counts as absent.
 *
 * @throws TypeError for what is no JSON
 */
export const canonical = (value: unknown): string => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is no JSON`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('an instance of a class is no JSON');
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
};
