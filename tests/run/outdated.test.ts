import { expect, test } from 'vitest';
import { advisoriesIn, ageOf, type Package, tableLine } from '../../run/check/packages.ts';

const now = Date.parse('2026-11-27');
const time = { '1.0.0': '2026-10-28', '1.1.0': '2026-11-26' };
const behind: Package = { name: 'one', installed: '1.0.0', newest: '1.1.0', time, isShipped: true };

test('a package is told with both versions and how old they are, and what is behind by the age of what is installed', () => {
  expect(tableLine(behind, now)).toEqual({ package: 'one', for: 'product', installed: '1.0.0 (30 days old)', newest: '1.1.0 (1 day old)' });
  const newest = { ...behind, installed: '1.1.0', isShipped: false };
  expect(tableLine(newest, now)).toMatchObject({ for: 'building', installed: '1.1.0 (1 day old)', newest: 'the same' });
  expect(tableLine({ ...behind, newest: undefined, time: {} }, now)).toMatchObject({
    installed: '1.0.0',
    newest: 'the registry does not say',
  });
  expect([ageOf(behind, now), ageOf(newest, now)]).toEqual([30, 0]);
});

test('advisories are told one by one, that there are none, and that the registry does not answer them', () => {
  const via = ['two', { title: 'Reads files', url: 'https://advisories.example/1' }];
  const found = { vulnerabilities: { one: { severity: 'high', range: '<1.1.0', via } } };
  expect(advisoriesIn(found)).toEqual(['one <1.1.0: high, Reads files (https://advisories.example/1)']);
  expect(advisoriesIn({ vulnerabilities: {} })).toEqual(['No advisory is known of what is installed.']);
  for (const said of [undefined, { message: '405 Method Not Allowed', statusCode: 405 }])
    expect(advisoriesIn(said)).toEqual([expect.stringContaining('does not answer which advisories there are')]);
});
