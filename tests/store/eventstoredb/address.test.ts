import { expect, test } from 'vitest';
import { parseAddress } from '../../../events/store/eventstoredb/address.ts';

test.each([
  ['esdb://host', [{ address: 'host', port: 2113 }], 'no', true],
  ['esdb://10.0.0.1:2114/?tls=false', [{ address: '10.0.0.1', port: 2114 }], 'no', false],
  ['esdb://[::1]:2113?tls=false', [{ address: '[::1]', port: 2113 }], 'no', false],
  ['esdb+discover://cluster.school.example:2113', [{ address: 'cluster.school.example', port: 2113 }], 'dns', true],
  ['esdb://a:1,b:2,c:3?Tls=true&nodePreference=Leader', [1, 2, 3].map((port) => ({ address: 'abc'[port - 1], port })), 'gossip', true],
  ['kurrentdb://host?tls=false', [{ address: 'host', port: 2113 }], 'no', false],
  ['kdb+discover://cluster', [{ address: 'cluster', port: 2113 }], 'dns', true],
  ['unix:/run/log.sock', ['unix:/run/log.sock'], 'no', false],
] as const)('%s', (url, endpoints, discover, tls) => {
  expect(parseAddress(url)).toMatchObject({ endpoints, discover, tls });
});

test('a password may hold anything, and stands in no label', () => {
  const address = parseAddress('esdb://me:p%40ss:w%2Frd@host:2113?tls=false&keep-alive-interval=20000&tlsCAFile=%2Fetc%2Fca.crt');

  expect(address).toMatchObject({
    credentials: { username: 'me', password: 'p@ss:w/rd' },
    numbers: { keepAliveInterval: 20_000 },
    files: { tlsCAFile: '/etc/ca.crt' },
    label: 'host:2113',
  });
});

test.each([
  'http://me:secret@host',
  'esdb://',
  'esdb://me@host?x=secret',
  'esdb://me:secret@host:99999',
  'esdb://me:secret@ho st',
  'esdb://me:secret@host?tlz=false',
  'esdb://me:secret@host?tls=no',
  'esdb://me:secret@host?tlsVerifyCert=false',
  'esdb://me:secret@host?nodePreference=follower',
  'esdb://me:secret@host?gossipTimeout=soon',
  'esdb://me:secret@host?userCertFile=x',
  'esdb://me:secret%@host',
  'unix:relative.sock',
  'unix://host/secret',
])('%s is refused in a sentence that does not repeat the password', (url) => {
  expect(() => parseAddress(url)).toThrow(expect.objectContaining({ name: 'WrongAddress' }) as Error);
  expect(() => parseAddress(url)).not.toThrow(/secret/);
});
