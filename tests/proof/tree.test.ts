import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { leafHash, Tree } from '../../events/proof/tree.ts';

const sha256 = (...parts: (string | Buffer)[]): string => hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))));

test('the tree is the one of RFC 9162: roots of the published examples, at each size', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const tree = new Tree();
  expect(tree.root()).toBe(sha256(''));
  const roots = leaves.map((leaf) => {
    tree.append(sha256('\0', Buffer.from(leaf, 'hex')));
    return tree.root();
  });
  expect(roots).toEqual([
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]);
});

test('a tree goes on from its edge as if it had never stopped', () => {
  const whole = new Tree();
  let resumed = new Tree();
  for (let number = 0; number < 300; number++) {
    whole.append(sha256(String(number)));
    resumed = new Tree(resumed.size, resumed.edge);
    resumed.append(sha256(String(number)));
    expect(resumed.root()).toBe(whole.root());
  }
});

test('a leaf is the hash that docs/log.md describes, and no text of it can pass for another', () => {
  const event = { stream: 'entry-a.b', revision: 7n, id: 'an-id', type: 'MarkTyped', data: '{"name":"Zoë €"}', metadata: '{}' };
  const field = (text: string) => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const { stream, id, type, data, metadata } = event;
  expect(leafHash(event)).toBe(sha256('\0', ...[stream, '7', id, type, data, metadata].map(field)));

  // A large one before it leaves nothing behind.
  expect(leafHash({ ...event, data: 'x'.repeat(300_000) })).not.toBe(leafHash(event));
  expect(leafHash(event)).toBe(sha256('\0', ...[stream, '7', id, type, data, metadata].map(field)));
  expect(leafHash({ ...event, data: '{"name":"Zoë €"}{', metadata: '}' })).not.toBe(leafHash(event));
});
