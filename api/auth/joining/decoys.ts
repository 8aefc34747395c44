import { NAME_CHOICES } from '../../contract/auth-messages.ts';

/**
 * Names to hide a student's own among. A decoy is nobody's name: it combines the first name of one student of the subject with the surname
 * of another, so that a holder of a joining code learns no real name without knowing its birthday. `rank` orders by a key that only the
 * server knows and by the birthday: the same question gives the same names, so asking twice reveals nothing.
 */
export const decoysFor = (matches: readonly string[], roster: readonly string[], rank: (text: string) => string): string[] => {
  const people = (roster.length < 4 ? [...roster, ...STRANGERS] : roster).map(split);
  const taken = new Set([...roster, ...matches].map(plain));
  const firstNames = ranked([...new Set(people.map(({ first }) => first))], (name) => rank(`first ${name}`));
  const surnames = ranked([...new Set(people.map(({ last }) => last))], (name) => rank(`last ${name}`));
  const commas = people.filter(({ comma }) => comma).length * 2 >= people.length;
  const decoys: string[] = [];
  for (let turn = 0; turn < firstNames.length * surnames.length && decoys.length < NAME_CHOICES - matches.length; turn++) {
    const first = firstNames[turn % firstNames.length] ?? '';
    const last = surnames[(turn + Math.floor(turn / firstNames.length)) % surnames.length] ?? '';
    const name = commas ? `${last}, ${first}` : `${first} ${last}`.trim();
    if (taken.has(plain(name))) continue;
    taken.add(plain(name));
    decoys.push(name);
  }
  return decoys;
};

/** In the order of their ranks. */
export const ranked = <Item>(items: readonly Item[], rankOf: (item: Item) => string): Item[] =>
  items
    .map((item) => [rankOf(item), item] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, item]) => item);

type Parts = { readonly first: string; readonly last: string; readonly comma: boolean };

const split = (name: string): Parts => {
  const comma = name.indexOf(',');
  if (comma > 0) return { last: name.slice(0, comma).trim(), first: name.slice(comma + 1).trim(), comma: true };
  const space = name.lastIndexOf(' ');
  return { first: name.slice(0, Math.max(space, 0)).trim() || name, last: space < 0 ? '' : name.slice(space + 1), comma: false };
};

const plain = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

/** For very small classes. */
const STRANGERS = [
  'Taylor, Alex',
  'Clarke, Sam',
  'Robinson, Jo',
  'Morgan, Robin',
  'Ellis, Charlie',
  'Palmer, Jamie',
  'Foster, Kim',
  'Reid, Lee',
];
