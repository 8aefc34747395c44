import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { open, seal, SealBroken, type SealedContext } from '../../events/codec/personal.ts';
import { uuid } from './support.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const context: SealedContext = { eventId: uuid('event'), type: 'StudentAdded', person: uuid('anna'), place: 'students[].person' };

test('what is sealed opens again, with its key and in its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(open(key, context, seal(key, context, text))).toBe(text);
    }),
  );
});

test('the same text never looks the same twice', () => {
  const sealed = Array.from({ length: 2000 }, () => seal(key, context, 'Anna'));
  expect(new Set(sealed).size).toBe(sealed.length);
});

test.each<[string, Partial<SealedContext>]>([
  ['event', { eventId: uuid('another event') }],
  ['type', { type: 'StudentMoved' }],
  ['person', { person: uuid('ben') }],
  ['place', { place: 'students[].guardian' }],
])('it opens in no other %s', (_, other) => {
  expect(() => open(key, { ...context, ...other }, seal(key, context, 'Anna'))).toThrow(SealBroken);
});

test('it opens with no other key', () => {
  expect(() => open(createSecretKey(Buffer.alloc(32, 2)), context, seal(key, context, 'Anna'))).toThrow(SealBroken);
});

test('a change of any bit, or a cut, shows', () => {
  const bytes = Buffer.from(seal(key, context, 'Anna Smith'), 'base64url');
  fc.assert(
    fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => open(key, context, changed.toString('base64url'))).toThrow(SealBroken);
    }),
  );
  for (let length = 0; length < bytes.length; length++) {
    expect(() => open(key, context, bytes.toString('base64url', 0, length))).toThrow(SealBroken);
  }
});

test('a text that was sealed long ago opens', () => {
  expect(open(key, context, 'Ad_VmI4yhXfbT9Fi__S7RaJYOhlTZFm9aeFVE0GswaFGvDIkYKe6-8Edkro')).toBe('{"name":"Anna"}');
});
