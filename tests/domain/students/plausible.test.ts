import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Named } from '../../../api/students/plausible.rules.ts';
import { fitsName, isGarbled } from '../../../api/students/person-names.formula.ts';
import { studentDoubts } from '../../../api/students/plausible.rules.ts';

const nothingKnown = { identified: [], unknown: [], candidates: [] };
const person = (admissionNo: string, name: string): Named => ({ admissionNo, name });
const damaged = (unknown: readonly Named[], candidates: readonly Named[], known: readonly Named[] = []) =>
  studentDoubts({ identified: known.map((row) => ({ row, student: row, isStored: true })), unknown, candidates }).ids?.first.map(
    ({ inFile, damage, means }) => [inFile, damage, means?.admissionNo ?? null] as const,
  ) ?? [];

/** UTF-8 that was read as Windows-1252. */
const misread = (text: string): string => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));

const part = fc
  .array(fc.constantFrom(...'abdefgikmnorstuvzéèöüçñáíłøśžßœ'), { minLength: 2, maxLength: 9 })
  .map((letters) => letters.join(''));
const parts = fc.array(part, { minLength: 1, maxLength: 4 });

describe('a name of a file fits a student', () => {
  test('whatever the order of its parts, their case, accents and punctuation', () => {
    const written = fc.record({
      parts,
      order: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      gap: fc.constantFrom(' ', ', ', '-', '. ', '  '),
      form: fc.constantFrom('NFC', 'NFD'),
      change: fc.constantFrom<(text: string) => string>(
        (text) => text,
        (text) => text.toUpperCase(),
        (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
      ),
    });
    fc.assert(
      fc.property(written, ({ parts: own, order, gap, form, change }) => {
        const turned = own.toSorted((a, b) => (order[own.indexOf(a)] ?? 0) - (order[own.indexOf(b)] ?? 0));
        const inFile = change(turned.join(gap)).normalize(form);
        expect(fitsName(inFile, own.join(' '))).toBe(true);
        expect(fitsName(own.join(' '), inFile)).toBe(true);
      }),
    );
  });

  test('not if it has another part, more or fewer', () => {
    fc.assert(
      fc.property(parts, part, (own, other) => {
        expect(fitsName([...own, `${other}x`].join(' '), own.join(' '))).toBe(false);
        expect(fitsName([`q${other}`, ...own.slice(1)].join(' '), own.join(' '))).toBe(false);
      }),
    );
  });

  test.each([
    ['Edwards, Sophie', 'SOPHIE EDWARDS', true],
    ['Pat O Brien', "O'Brien, Pat", true],
    ['Smith-Jones, Anne Marie', 'Smith Jones, Annemarie', true],
    ['Łucja Dąbrowska', 'Dabrowska, Lucja', true],
    ['', 'Edwards, Sophie', true],
    ['Edwards, Sophia', 'Edwards, Sophie', false],
    ['Edwards, Sophie', 'Edwards, Tom', false],
    // Of a broken encoding: what can be read fits, and says no more than that.
    [misread('Pérez, José'), 'Pérez, José', true],
    ['P?rez, Jos\ufffd\ufffd', 'Pérez, José', true],
    ['P?rez, Tom', 'Pérez, José', false],
  ])('%s for %s: %s', (inFile, ours, fits) => {
    expect(fitsName(inFile, ours)).toBe(fits);
  });
});

test('a name of which half is lost is compared in no time', () => {
  expect(fitsName('?a'.repeat(100), `${'a'.repeat(49)}b`)).toBe(false);
});

describe('a garbled name', () => {
  test('is known by its accents, whatever they are', () => {
    const accented = fc.tuple(part, fc.constantFrom(...'éèöüçñáíłøśžßœÉÖÜŁŚŽ'), part).map((all) => all.join(''));
    fc.assert(
      fc.property(accented, (name) => {
        expect(isGarbled(misread(name))).toBe(true);
        expect(fitsName(misread(name), name)).toBe(true);
      }),
    );
  });

  test('is not an honest one, in capitals either', () => {
    fc.assert(
      fc.property(parts, (own) => {
        expect(isGarbled(own.join(' '))).toBe(false);
        expect(isGarbled(own.join(' ').toUpperCase())).toBe(false);
      }),
    );
  });

  test.each(['Dąbrowska, Łucja', 'MATÚŠ', 'TOMÁŠ, IRMÃ', 'Zoë', 'João', 'Nguyễn', 'Ásdís', 'Müller-Lüdenscheidt', '?', ''])(
    'is not %s',
    (name) => {
      expect(isGarbled(name)).toBe(false);
    },
  );

  test.each(['Jos\ufffd', 'Jos?', 'D?browska', 'JosÃ©', 'DÄ…browska', 'Nguyá»…n', 'Oâ€™Brien'])('is %s', (name) => {
    expect(isGarbled(name)).toBe(true);
  });
});

describe('a damaged StudentID', () => {
  test('as a spreadsheet shows a long number means the only one that it may be', () => {
    const number = fc.bigInt({ min: 10n ** 11n, max: 10n ** 15n });
    fc.assert(
      fc.property(number, fc.integer({ min: 1, max: 5 }), (id, digits) => {
        // Zeros at the end are not shown, and the exponent has two digits.
        const shown = Number(id)
          .toExponential(digits)
          .replace(/\.?0*e/, 'E');
        const far = String(id * 7n);
        expect(damaged([person(shown, '')], [person(String(id), 'Meant'), person(far, 'Other')])).toEqual([
          [shown, 'exponent', String(id)],
        ]);
      }),
    );
  });

  test('without its zeros means the only one that has them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 6 }), (number, zeros) => {
        const id = '0'.repeat(zeros) + number;
        const others = [person(`${number}0`, 'Longer'), person(`M${number}`, 'With a letter')];
        expect(damaged([person(String(number), '')], [...others, person(id, 'Meant')])).toEqual([[String(number), 'zeros', id]]);
        expect(damaged([person(String(number), '')], others)).toEqual([]);
      }),
    );
  });

  test('with something that nobody sees is shown with it, and means the one without', () => {
    const unseen = fc.constantFrom('\u00a0', '\u200c', '\u200d', '\u200e', '\ufe0f', '\u2007');
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]\d{4}$/), unseen, fc.nat(3), (id, letter, at) => {
        const inFile = id.slice(0, at + 1) + letter + id.slice(at + 1);
        const [found] = damaged([person(inFile, '')], [person(id, 'Meant'), person(`${id}1`, 'Other')]);
        expect(found?.slice(1)).toEqual(['invisible', id]);
        expect(found?.[0]).toMatch(/\[U\+[0-9A-F]{4}\]/);
      }),
    );
  });

  test('may have been an ID with an E, and its zeros may be few', () => {
    expect(damaged([person('1.20E+06', '')], [person('12E5', 'Meant')])).toEqual([['1.20E+06', 'exponent', '12E5']]);
    expect(damaged([person('0123', '')], [person('00123', 'Meant'), person('123', 'Shorter')])).toEqual([['0123', 'zeros', '00123']]);
    expect(damaged([person('1.23457E+12', '')], [])).toEqual([['1.23457E+12', 'exponent', null]]);
  });

  test.each([
    ['101.0', 'decimal', '00101'],
    ['101,00', 'decimal', '00101'],
    ["'00101", 'quotes', '00101'],
    ['="00101"', 'quotes', '00101'],
    ['OO1o1', 'letter', '00101'],
    ['03-Apr', 'date', '3-4'],
    ['04-mar', 'date', '3-4'],
    ['03/04/2026', 'date', '3-4'],
    ['2026-04-03', 'date', '3-4'],
    ['Apr-26', 'date', '4/26'],
  ])('as %s (%s) means %s', (inFile, damage, id) => {
    const candidates = ['00101', '3-4', '4/26', '5-6-11', 'M101'].map((one) => person(one, ''));
    expect(damaged([person(inFile, '')], candidates)).toEqual([[inFile, damage, id]]);
  });

  test('may be the stored one', () => {
    expect(damaged([person('00101', '')], [person("'00101", '')])).toEqual([['00101', 'quotes', "'00101"]]);
  });

  test('names nobody where several fit, unless the name says who, and never somebody of another row', () => {
    const two = [person('1234567890123', 'Edwards, Sophie'), person('1234567891234', 'Nolan, Tom')];
    expect(damaged([person('1.23457E+12', 'Somebody')], two)).toEqual([['1.23457E+12', 'exponent', null]]);
    expect(damaged([person('1.23457E+12', 'tom NOLAN')], two)).toEqual([['1.23457E+12', 'exponent', '1234567891234']]);
    expect(damaged([person('1.23457E+12', '')], two, two.slice(1))).toEqual([['1.23457E+12', 'exponent', '1234567890123']]);
  });

  test('is not one that a school may give', () => {
    const candidates = [person('00123', 'A'), person('1234567890123', 'B'), person('M1', 'C')];
    const ids = ['124', 'M2', '1E5', '3-5', '3.40', '03-May', '2026-05-03', 'M0', "O'1"];
    expect(
      damaged(
        ids.map((id) => person(id, '')),
        [...candidates, person('3-4', 'D')],
      ),
    ).toEqual([]);
  });
});

test('cases are counted, the first 200 told; a file without any has none', () => {
  expect(studentDoubts(nothingKnown)).toEqual({});
  const known = Array.from({ length: 210 }, (_, index) => ({
    row: person(`M${index}`, `Pupil ${index + 1}`),
    student: person(`M${index}`, `Pupil ${index}`),
    isStored: true,
  }));
  const { names, ...others } = studentDoubts({ ...nothingKnown, identified: known });
  expect([names?.count, names?.first.length, others]).toEqual([210, 200, {}]);
  expect(studentDoubts({ ...nothingKnown, identified: known.map((one) => ({ ...one, isStored: false })) })).toEqual({});
  expect(names?.first[0]).toEqual({ admissionNo: 'M0', inFile: 'Pupil 1', ours: 'Pupil 0' });
});
