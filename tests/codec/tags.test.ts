import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandId, eventId, newId, partId, uuidv5 } from '../../events/codec/ids.ts';
import { bodyTag, canonical, tag } from '../../events/codec/tags.ts';

const school = createSecretKey(Buffer.alloc(32, 1));
const otherSchool = createSecretKey(Buffer.alloc(32, 2));

test('a tag is the same for what a school takes for the same', () => {
  const same = tag(school, 'student-id', 'AB\u00c9 12');
  expect(tag(school, 'student-id', '  abe\u0301 12\t')).toBe(same);
  expect(same).toMatch(/^1\.[\w-]{22}$/);
});

test('a tag tells values, kinds and schools apart', () => {
  const tags = [
    tag(school, 'student-id', '00123'),
    tag(school, 'student-id', '123'),
    tag(school, 'teacher', '00123'),
    tag(otherSchool, 'student-id', '00123'),
    tag(school, 'student-id0', '0123'),
  ];
  expect(new Set(tags).size).toBe(tags.length);
});

test('tags in the log stay valid', () => {
  expect(tag(school, 'student-id', '00123')).toBe('1.fEgezPqAWGdIc_IOMAvkKg');
  expect(bodyTag(school, '{}')).toBe('dzPqXzMRbAfE570mLoWRkA');
});

test('one request has one canonical text, however its keys are ordered', () => {
  expect(canonical({ b: [1, { d: null, c: 'x' }], a: undefined, 10: 1, 9: 2 })).toBe('{"10":1,"9":2,"b":[1,{"c":"x","d":null}]}');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
      const text = canonical(body);
      expect(canonical(Object.fromEntries(Object.entries(body).reverse()))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(body)));
    }),
  );
});

test('another body has another tag, of 16 bytes', () => {
  const one = bodyTag(school, canonical({ marks: [1] }));
  expect(one).not.toBe(bodyTag(school, canonical({ marks: [2] })));
  expect(Buffer.from(one, 'base64url')).toHaveLength(16);
});

test('uuid version 5 is that of RFC 9562', () => {
  expect(uuidv5('www.example.com', '6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  expect(() => uuidv5('x', 'no uuid')).toThrow(RangeError);
});

test('ids follow from the account, the key and the place, and never meet', () => {
  const [anna, ben] = ['2ed6657d-e927-568b-95e1-2665a8aea6a2', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'] as const;
  const command = commandId(anna, 'key');
  expect(commandId(anna, 'key')).toBe(command);
  const ids = [
    command,
    commandId(ben, 'key'),
    eventId(command, 0),
    eventId(command, 1),
    newId(command, 'student 1'),
    partId(command, 1, 0, 'text'),
    partId(command, 2, 0, 'text'),
    partId(command, 1, 1, 'text'),
    partId(command, 1, 0, 'other text'),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(() => newId(command, '0')).toThrow(RangeError);
});
