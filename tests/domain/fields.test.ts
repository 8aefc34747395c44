import { describe, expect, test } from 'vitest';
import { admissionNo, fileName, label, personName } from '../../api/contract/fields.ts';

describe('a name', () => {
  test('is one line, without what nobody sees and what turns the text around it', () => {
    for (const [pasted, name] of [
      ['Ann\u202e htimS', 'Ann htimS'],
      ['\u2066Ann Smith\u2069', 'Ann Smith'],
      ['\u202aAnn\u202c Smith', 'Ann Smith'],
      ['A\u200bn\u2060n\ufeff Sm\u00adith', 'Ann Smith'],
      ['Ann\u0007 \u001b[31mSmith\u009f', 'Ann [31mSmith'],
      [' Ann \r\n\t Smith\u2028', 'Ann Smith'],
      // Composed after what stood between was taken away.
      ['Re\u200b\u0301ne', 'R\u00e9ne'],
    ] as const) {
      expect(personName.parse(pasted)).toBe(name);
      expect(label.parse(pasted)).toBe(name);
      expect(admissionNo.parse(pasted)).toBe(name);
      expect(fileName.parse(pasted)).toBe(name);
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
    for (const blank of ['', '  ', '\u200d', '\u200e\u200f', '\u202e', '\u3164', '\u115f\u1160', '\u2800', '\uffa0'])
      expect(personName.safeParse(blank).error?.issues[0]?.message, JSON.stringify(blank)).toBe('Required');
  });
});
