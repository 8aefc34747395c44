/** Deterministic ids: a repeated command finds its own stream and events again. */
import { hash } from 'node:crypto';
import { writeUuid } from '../uuid.ts';

/**
 * RFC 9562, version 5: the uuid of a name within a namespace.
 *
 * @throws RangeError when the namespace is no uuid
 */
export const uuidv5 = (name: string, namespace: string): string => {
  const bytes = Buffer.allocUnsafe(16 + Buffer.byteLength(name));
  if (!writeUuid(namespace, bytes, 0)) throw new RangeError(`not a uuid: ${namespace}`);
  bytes.write(name, 16);
  const hex = hash('sha1', bytes, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * From an account and its idempotency key: the same key of another account is another command, and can neither block nor read its answer.
 */
export const commandId = (accountId: string, key: string): string => uuidv5(key, accountId);

/** The id of the command's event number `index`, from 0. */
export const eventId = (commandId: string, index: number): string => uuidv5(String(index), commandId);

/**
 * The id of something that the command makes (a subject, a student); the label distinguishes several.
 *
 * @throws RangeError for a label that is a number: those are the command's events
 */
export const newId = (commandId: string, label: string): string => {
  if (/^\d*$/.test(label)) throw new RangeError(`not a label: '${label}'`);
  return uuidv5(label, commandId);
};

/**
 * The id of a part of a large event. It depends on the text, because two processes may run the same command and attempt at the same time,
 * each with its own ciphertexts: the second must be refused by the revision, not taken for a repetition of the first.
 */
export const partId = (commandId: string, attempt: number, number: number, text: string): string =>
  uuidv5(`part ${attempt} ${number} ${text}`, commandId);
