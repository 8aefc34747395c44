/** Names that come out the same however often one asks: a repeated command finds its own stream and events again. */
import { hash } from 'node:crypto';

/**
 * RFC 9562, version 5: the uuid of a name within a namespace.
 *
 * @throws RangeError when the namespace is no uuid
 */
export const uuidv5 = (name: string, namespace: string): string => {
  const space = namespace.replaceAll('-', '');
  const bytes = Buffer.allocUnsafe(16 + Buffer.byteLength(name));
  if (space.length !== 32 || bytes.write(space, 0, 16, 'hex') !== 16) throw new RangeError(`not a uuid: ${namespace}`);
  bytes.write(name, 16);
  const hex = hash('sha1', bytes, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Of an account's idempotency key: another account's same key is another command, and can neither block nor read its answer. */
export const commandId = (accountId: string, key: string): string => uuidv5(key, accountId);

/** Of the command's event number `index`, from 0. */
export const eventId = (commandId: string, index: number): string => uuidv5(String(index), commandId);

/**
 * Of something that the command makes (a subject, a student), told apart by the label.
 *
 * @throws RangeError for a label that is a number: those are the command's events
 */
export const newId = (commandId: string, label: string): string => {
  if (/^\d*$/.test(label)) throw new RangeError(`not a label: '${label}'`);
  return uuidv5(label, commandId);
};

/**
 * Of a part of a large event. The text takes part, because two processes may run the same command and attempt at once, each with its
 * own ciphertexts: the second one must be refused by the revision, not taken for a repetition of the first.
 */
export const partId = (commandId: string, attempt: number, number: number, text: string): string =>
  uuidv5(`part ${attempt} ${number} ${text}`, commandId);
