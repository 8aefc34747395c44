import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../../events/store/port.ts';

export const event = (parts: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'MarksEntered',
  data: '{"mark":12}',
  metadata: '{"at":"2026-09-01T08:00:00.000Z"}',
  ...parts,
});

export const events = (count: number, parts: Partial<NewEvent> = {}): NewEvent[] => Array.from({ length: count }, () => event(parts));

/** JSON that a parser would give back otherwise: order of keys, spaces, doubled keys, number forms, escapes and letters of all kinds. */
export const CROOKED_JSON = String.raw`{"z":1,"a":[1.0, 1e2,-0],  "10":"x","2":"y","z":null,"s":"\"\\\/\b\f\n\r\t\u0041\u0000\ud800 é ß 𝄞 👩‍🏫 ‮ \u2028 {},'$1"}`;

/** JSON text of so many bytes, all ASCII but for the start. */
export const jsonOf = (bytes: number, start = ''): string => {
  const text = JSON.stringify(start);
  return text.slice(0, -1) + 'x'.repeat(bytes - Buffer.byteLength(text)) + '"';
};

/** JSON text that does not compress. */
export const noise = (bytes: number): string => `"${Array.from({ length: bytes / 36 }, () => randomUUID()).join('')}"`;
