import { expect, test } from 'vitest';
import { instantOf, momentIn, withMoment } from '../../../ui/as-of/moments.ts';

const NOW = { asOf: undefined, trouble: undefined };

test('an address holds a moment, or a sentence says why the page shows how things are now', () => {
  expect(momentIn(null, true)).toEqual(NOW);
  expect(momentIn('2026-11-21T10:00:00Z', true)).toEqual({ ...NOW, asOf: '2026-11-21T10:00:00Z' });
  expect(momentIn('2026-11-21T10:00:00Z', false)).toEqual({ ...NOW, trouble: expect.stringContaining('cannot show an earlier moment') });
  for (const broken of ['', 'yesterday', '2026-13-01T00:00:00Z'])
    expect(momentIn(broken, true), broken).toEqual({ ...NOW, trouble: expect.stringContaining('names no valid moment') });
});

test('another moment keeps the rest of the address; an empty field is none', () => {
  const there = new URLSearchParams('year=11&asOf=2026-11-21T10:00:00Z');
  expect(String(withMoment(there, undefined))).toBe('year=11');
  expect(withMoment(there, '2026-11-20T10:00:00Z').get('asOf')).toBe('2026-11-20T10:00:00Z');
  expect([instantOf('2026-03-29', ''), instantOf('', '09:30')]).toEqual([undefined, undefined]);
});
