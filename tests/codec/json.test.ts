import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotJson, toText } from '../../events/codec/json.ts';

test('whatever it accepts comes back as the same text and the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (parsed) => {
      // Some parsed values are refused: integer-like keys and -0 among them.
      const text = textOrRefusal(parsed);
      if (text instanceof NotJson) return;
      const back: unknown = JSON.parse(text);
      expect(toText(back)).toBe(text);
      expect(back).toEqual(parsed);
    }),
    { numRuns: 500 },
  );
});

test('any value at all is either refused or a fixed point', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withNullPrototype: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      const text = textOrRefusal(value);
      if (!(text instanceof NotJson)) expect(toText(JSON.parse(text))).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test('keys keep their order, whatever it is', () => {
  expect(toText({ b: 1, a: { d: [null, true, 'x', 1.5e300], c: '' } })).toBe('{"b":1,"a":{"d":[null,true,"x",1.5e+300],"c":""}}');
});

test('keys that only look a little like integers are accepted', () => {
  const value = { '00123': 1, '-1': 2, '1.5': 3, '4294967295': 4, '1e3': 5, '': 6 };
  expect(JSON.parse(toText(value))).toEqual(value);
});

class Instance {
  readonly field = 1;
}
const withHole: unknown[] = [1];
withHole.length = 3;
const itself: unknown[] = [];
itself.push(itself);

test.each<[string, unknown, string]>([
  ['undefined', { marks: [{ is: undefined }] }, '$.marks[0].is is undefined'],
  ['bigint', { revision: 1n }, '$.revision is a bigint'],
  ['NaN', [Number.NaN], '$[0] is NaN'],
  ['Infinity', [-Infinity], '$[0] is -Infinity'],
  ['-0', { a: -0 }, '$.a is -0, which would come back as 0'],
  ['a function', { a: () => 1 }, '$.a is a function'],
  ['a symbol', Symbol('x'), '$ is a symbol'],
  ['a date', { at: new Date(0) }, '$.at is an instance of a class'],
  ['toJSON', { toJSON: () => 1 }, '$.toJSON is a function'],
  ['a class instance', { a: new Instance() }, '$.a is an instance of a class'],
  ['a map', new Map(), '$ is an instance of a class'],
  ['an array of a class', [new (class extends Array<number> {})()], '$[0] is an instance of a class'],
  ['an integer-like key', { a: { '12': 1 } }, '$.a.12 is a key like an integer, which would change its place'],
  ['__proto__', JSON.parse('{"__proto__":1}'), '$.__proto__ is a key that is not safe to copy'],
  ['a hole', { a: withHole }, '$.a is an array with holes or named properties'],
  ['a named property of an array', { a: 'x'.match('x') }, '$.a is an array with holes or named properties'],
  ['a symbol key', { [Symbol('x')]: 1 }, '$ has symbols or hidden properties'],
  ['a hidden property', Object.defineProperty({}, 'a', { value: 1 }), '$ has symbols or hidden properties'],
])('refuses %s and says where', (_, value, message) => {
  expect(() => toText(value)).toThrow(message);
});

test('refuses what contains itself', () => {
  expect(() => toText(itself)).toThrow('is nested too deeply, or in itself');
});

const textOrRefusal = (value: unknown): string | NotJson => {
  try {
    return toText(value);
  } catch (error) {
    if (error instanceof NotJson) return error;
    throw error;
  }
};
