import { NAME_CHOICES } from '../../contract/auth-messages.ts';

/**
 * Names to hide a student's own among. A decoy is nobody's name: it combines the first name of one student of the subject with the surname
 * of another, so that a holder of a joining code learns no real name without knowing its birthday. `rank` orders by a key that only the
 * server knows and by the birthday: the same question gives the same names, so asking twice reveals nothing.
 */
export const decoysFor = (matches: readonly string[], roster: readonly string[], rank: (text: string) => string): string[] => {
  const classmates = roster.map(split);
  const commas = classmates.filter(({ comma }) => comma).length * 2 >= classmates.length;
  const strangers = STRANGERS.map(split).map((one) => ({ ...one, comma: commas }));
  const taken = [...roster, ...matches].map(plain);
  const ofClass = combined(classmates, taken, rank);
  // Whether strangers are among them must not depend on the birthday, or they would tell that nobody was born on it.
  const decoys = ofClass.length < NAME_CHOICES ? combined([...classmates, ...strangers], taken, rank) : ofClass;
  return decoys.slice(0, Math.max(0, NAME_CHOICES - matches.length));
};

/** Each written as the one whose first name it has. At most as many as are ever shown. */
const combined = (people: readonly Parts[], takenNames: readonly string[], rank: (text: string) => string): string[] => {
  const taken = new Set(takenNames);
  const firstNames = ranked([...new Map(people.map((one) => [one.first, one])).values()], ({ first }) => rank(`first ${first}`));
  const surnames = ranked([...new Set(people.map(({ last }) => last))], (name) => rank(`last ${name}`));
  const names: string[] = [];
  // Along the diagonals, so that neighbours share neither name; each pair once.
  for (let turn = 0; turn < firstNames.length * surnames.length && names.length < NAME_CHOICES; turn++) {
    const place = turn % firstNames.length;
    const { first = '', comma = false } = firstNames[place] ?? {};
    const last = surnames[(place + Math.floor(turn / firstNames.length)) % surnames.length] ?? '';
    const name = last === '' ? first : comma ? `${last}, ${first}` : `${first} ${last}`;
    if (taken.has(plain(name))) continue;
    taken.add(plain(name));
    names.push(name);
  }
  return names;
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
