import { describe, expect, test } from 'vitest';
import { admissionNo, fileName, label, personName, personNameInFile } from '../../api/contract/fields.ts';

describe('a name', () => {
  test('is one line, without what nobody sees and what turns the text around it', () => {
    for (const [pasted, name] of [
      ['A\u200bn\u2060n\ufeff Sm\u00adith', 'Ann Smith'],
      [' Ann \r\n\t Smith\u2028', 'Ann Smith'],
      // Composed after what stood between was taken away.
      ['Re\u200b\u0301ne', 'R\u00e9ne'],
    ] as const) {
      for (const field of [personName, personNameInFile, label, admissionNo, fileName]) expect(field.parse(pasted)).toBe(name);
    }
  });

  test('of a person with control characters, or with what turns the text around it, is refused; of anything else it loses them', () => {
    for (const [typed, name] of [
      ['Ann\u202e htimS', 'Ann htimS'],
      ['\u2066Ann Smith\u2069', 'Ann Smith'],
      ['\u202aAnn\u202c Smith', 'Ann Smith'],
      ['Ann\u0007 \u001b[31mSmith\u009f', 'Ann [31mSmith'],
    ] as const) {
      expect([typed, personName.safeParse(typed).error?.issues[0]?.message]).toEqual([
        typed,
        'A name has no control characters. Type it again.',
      ]);
      for (const field of [personNameInFile, label, admissionNo, fileName]) expect(field.parse(typed)).toBe(name);
    }
  });

  test('keeps what honest names are written with', () => {
    for (const name of [
      'نیلوفر می\u200cخواهم',
      'क\u094d\u200dष',
      'ශ\u0dca\u200dරී',
      'אבא (A)\u200f',
      "O'Neill-Åström",
      '李小龍',
      '👩\u200d🔬 Lab',
      'Ng\u0169g\u0129',
    ]) {
      expect(personName.parse(name)).toBe(name);
    }
  });

  test('of a million blanks is refused at once', () => {
    const began = process.cpuUsage();
    expect(personName.safeParse(`a${' '.repeat(1_000_000)}b`).success).toBe(false);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000_000, 'seconds of the processor').toBeLessThan(20);
  });

  test('can be seen', () => {
    for (const blank of ['', '  ', '\u200d', '\u200e\u200f', '\u3164', '\u115f\u1160', '\u2800', '\uffa0'])
      expect(personName.safeParse(blank).error?.issues[0]?.message, JSON.stringify(blank)).toBe('Required');
  });
});
