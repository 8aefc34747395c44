/** Who is meant by what people bring: a StudentID in any spelling that a spreadsheet makes of it, a name in any order. Guesses nothing. */
import { fitsName, isNearName, isWithLostLetters, namePartsOf, repaired, turnsOf } from './person-names.formula.ts';
import type { IdDamage } from './plausible.contract.ts';

/** A student. null: forgotten, or without one. */
export type Person = { readonly admissionNo: string | null; readonly name: string | null };
/** What stands in a row; '': nothing. */
export type Named = { readonly id: string; readonly name: string };

export type Match<Of> =
  /** `damage`: the StudentID is written otherwise, and the name fits. */
  | { readonly kind: 'certain'; readonly student: Of; readonly damage?: IdDamage }
  /** One student fits, but not in everything: the StudentID alone (damaged), the name alone (the StudentID is nobody's), or a part of it. */
  | { readonly kind: 'likely'; readonly student: Of; readonly damage?: IdDamage; readonly differs: 'id' | 'name' }
  | { readonly kind: 'several'; readonly students: readonly Of[] }
  | { readonly kind: 'nobody' };

/** Finds students by what stands in a row. Made once for many rows: it keeps them by each of their spellings. */
export class People<Of extends Person> {
  readonly #byId = new Map<string, Of>();
  readonly #byName: ReadonlyMap<string, readonly Of[]>;
  readonly #byPart: ReadonlyMap<string, readonly Of[]>;
  readonly #named: readonly Of[];
  readonly #ids: DamagedIds<Of>;

  constructor(students: readonly Of[]) {
    for (const student of students) if (student.admissionNo !== null) this.#byId.set(idKey(student.admissionNo), student);
    this.#named = students.filter(({ name }) => name !== null);
    this.#byName = grouped(this.#named, ({ name }) => nameKeys(name ?? ''));
    this.#byPart = grouped(this.#named, ({ name }) => namePartsOf(name ?? ''));
    this.#ids = new DamagedIds(students);
  }

  /** The student who has exactly this StudentID. */
  withId(id: string): Of | undefined {
    return this.#byId.get(idKey(id));
  }

  /** Whether a StudentID, however it is written, or a name is of anybody. */
  knows(text: string): boolean {
    return text !== '' && (this.#byId.has(idKey(text)) || (this.damaged(text)?.fitting.length ?? 0) > 0 || this.fitting(text).length > 0);
  }

  /** The damage of a StudentID that is nobody's, and whom it may mean. */
  damaged(id: string): ReturnType<DamagedIds<Of>['find']> {
    return this.#ids.find(id);
  }

  match({ id, name }: Named): Match<Of> {
    const numbered = id === '' ? undefined : this.withId(id);
    const fitting = this.fitting(name);
    if (numbered) {
      if (name === '' || fitsName(name, numbered.name ?? '')) return { kind: 'certain', student: numbered };
      return fitting.length > 0 ? several([numbered, ...fitting]) : { kind: 'likely', student: numbered, differs: 'name' };
    }
    const damaged = this.damaged(id);
    if (damaged && damaged.fitting.length > 0) return matchDamaged(damaged, name, fitting);
    const [student, another] = fitting;
    if (student && !another) return id === '' ? { kind: 'certain', student } : { kind: 'likely', student, differs: 'id' };
    if (another) return several(fitting);
    const near = this.#near(name);
    const [one, other] = near;
    if (one) return other ? several(near) : { kind: 'likely', student: one, differs: 'name' };
    return { kind: 'nobody' };
  }

  /** Those whose name it may be, in any order and spelling. */
  fitting(name: string): readonly Of[] {
    if (namePartsOf(name).length === 0) return [];
    if (isWithLostLetters(name)) return this.#named.filter((student) => fitsName(name, student.name ?? ''));
    return distinct([name, repaired(name)].flatMap(nameKeys).flatMap((key) => (this.#byName.get(key) ?? []).slice(0, MOST_NAMESAKES)));
  }

  /** Those whose name has a part more, or less, or an initial in place of one. */
  #near(name: string): readonly Of[] {
    const candidates = distinct(namePartsOf(name).flatMap((part) => this.#byPart.get(part) ?? []));
    return candidates.filter((student) => isNearName(name, student.name ?? ''));
  }
}

/** If more students than this have a name, it tells none of them apart. */
export const MOST_NAMESAKES = 100;

const matchDamaged = <Of extends Person>(
  { damage, fitting: students }: { readonly damage: IdDamage; readonly fitting: readonly Of[] },
  name: string,
  namesakes: readonly Of[],
): Match<Of> => {
  const both = name === '' ? students : students.filter((student) => fitsName(name, student.name ?? ''));
  const [student, another] = both;
  if (another) return several(both);
  if (student) return name === '' ? { kind: 'likely', student, damage, differs: 'id' } : { kind: 'certain', student, damage };
  const [only, more] = students;
  return namesakes.length === 0 && only && !more
    ? { kind: 'likely', student: only, damage, differs: 'name' }
    : several([...students, ...namesakes]);
};

const several = <Of>(students: readonly Of[]): Match<Of> => ({ kind: 'several', students: distinct(students) });

const distinct = <Of>(all: readonly Of[]): readonly Of[] => [...new Set(all)];

const grouped = <Of>(all: readonly Of[], keysOf: (one: Of) => readonly string[]): ReadonlyMap<string, readonly Of[]> => {
  const groups = new Map<string, Of[]>();
  for (const one of all)
    for (const key of new Set(keysOf(one))) {
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  return groups;
};

/** Two names with a key in common fit each other: the same parts, or the same letters beginning with another part. */
const nameKeys = (name: string): readonly string[] => {
  const parts = namePartsOf(name);
  return parts.length === 0 ? [] : [parts.toSorted().join(' '), ...turnsOf(parts)];
};

/* StudentIDs */

/** As the server compares StudentIDs: without surrounding space, whatever the case and Unicode form. */
export const idKey = (id: string): string => id.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** Students by what is left of their StudentIDs after a damage. */
export class DamagedIds<Of extends { readonly admissionNo: string | null }> {
  readonly #students: readonly { readonly id: string; readonly student: Of }[];
  readonly #bare: ReadonlyMap<string, readonly Of[]>;
  readonly #loose: ReadonlyMap<string, readonly Of[]>;
  readonly #dates: ReadonlyMap<string, readonly Of[]>;
  readonly #rounded = new Map<number, ReadonlyMap<string, readonly Of[]>>();

  constructor(students: readonly Of[]) {
    const idsOf =
      (keys: (id: string) => readonly string[]) =>
      ({ admissionNo }: Of) =>
        admissionNo === null ? [] : keys(admissionNo);
    this.#students = students.flatMap((student) => (student.admissionNo === null ? [] : [{ id: student.admissionNo, student }]));
    this.#bare = grouped(
      students,
      idsOf((id) => [bare(id)]),
    );
    this.#loose = grouped(
      students,
      idsOf((id) => [loose(id)]),
    );
    this.#dates = grouped(students, idsOf(takenForDate));
  }

  /** The damage of a StudentID that is nobody's as it stands, and whom it may mean; undefined: it does not look damaged. */
  find(text: string): { readonly damage: IdDamage; readonly fitting: readonly Of[] } | undefined {
    const id = text.trim();
    if (id === '') return undefined;
    const unseen = this.#bare.get(bare(id)) ?? [];
    const surplus = surplusOf(id) ?? unseen.map(({ admissionNo }) => surplusOf(admissionNo ?? '')).find((damage) => damage !== undefined);
    if (surplus) return { damage: surplus, fitting: unseen.length > 0 ? unseen : (this.#loose.get(loose(id)) ?? []) };
    if (EXPONENT.test(id)) return { damage: 'exponent', fitting: this.#exponents(id) };
    const dates = distinct(datesIn(id).flatMap((date) => this.#dates.get(date) ?? []));
    if (dates.length > 0) return { damage: 'date', fitting: dates };
    const alike = this.#loose.get(loose(id)) ?? [];
    // Spreadsheets take zeros away, and add none.
    const longer = /^\d+$/.test(id) ? alike.filter(({ admissionNo }) => (admissionNo ?? '').length > id.length) : [];
    const fitting = longer.length > 0 ? longer : alike;
    return fitting.length > 0 || DECIMAL.test(id) ? { damage: damageOf(id), fitting } : undefined;
  }

  /** Students whose number, rounded to as many digits, is the one that is written. */
  #exponents(id: string): readonly Of[] {
    const written = id.replace(',', '.').toLowerCase();
    const digits = written.slice(0, written.indexOf('e')).replace('.', '').length - 1;
    const byNumber =
      this.#rounded.get(digits) ??
      Map.groupBy(
        this.#students.filter((one) => NUMBER.test(one.id)).map(({ student }) => student),
        ({ admissionNo }) => Number(admissionNo).toExponential(digits),
      );
    this.#rounded.set(digits, byNumber);
    return byNumber.get(Number(written).toExponential(digits)) ?? [];
  }
}

/** As spreadsheets write it: 1.23457E+12. */
const EXPONENT = /^\d(?:[.,]\d{1,14})?e\+\d{1,3}$/i;
/** What a spreadsheet takes for a number: 12E5 too. */
const NUMBER = /^\d{1,20}(?:e\d{1,2})?$/i;

const DECIMAL = /^(\d+)[.,]0+$/;

/** What nobody sees, and every blank but the plain one. */
export const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;
/** '00101 and ="00101": how a spreadsheet is told that a number is text. */
const QUOTES = /^=?["'‘’`]+|["'‘’`]+$/g;
const surplusOf = (id: string): IdDamage | undefined => (INVISIBLE.test(id) ? 'invisible' : id.search(QUOTES) >= 0 ? 'quotes' : undefined);

const bare = (id: string): string => idKey(id.replace(/[\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}]+/gu, '').replace(QUOTES, ''));

/** 00101, 101.0, 101,00, 1O1, l01 -> 101 */
const loose = (id: string): string =>
  bare(id)
    .replace(DECIMAL, '$1')
    .replaceAll('o', '0')
    .replace(/[il|]/g, '1')
    .replace(/^0+(?=.)/, '');

const damageOf = (id: string): IdDamage => (DECIMAL.test(id) ? 'decimal' : /[oil|]/i.test(id) ? 'letter' : 'zeros');

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** 1 to 12; NaN: it is none */
const monthOf = (text: string): number => {
  const name = text.toLowerCase();
  const at = name.length < 3 ? -1 : MONTHS.findIndex((month) => name.startsWith(month));
  return at < 0 ? Number.NaN : at + 1;
};

/** What a spreadsheet takes for a date: 3-4, 3/4/09, 3.4, MAR1, 1DEC, as days, months and years in their order. */
const takenForDate = (id: string): readonly string[] => {
  const numbers = /^(\d{1,4})([-/.])(\d{1,4})(?:\2(\d{1,4}))?$/.exec(id.trim());
  if (numbers) return [[numbers[1], numbers[3], numbers[4]].filter(Boolean).map(Number).join('-')];
  const named = /^(\d{1,4})?[- ]?([a-z]{3,9})[- ]?(\d{1,4})?$/i.exec(id.trim());
  const month = monthOf(named?.[2] ?? '');
  const number = named?.[1] ?? named?.[3];
  return Number.isNaN(month) || number === undefined ? [] : [`${Number(number)}-${month}`];
};

/** What may have been typed where a date stands now, by either order of day and month, with the year and without it. */
const datesIn = (id: string): readonly string[] => {
  const written =
    /^(?<day>\d{1,2})[- /.](?<month>[a-z]{3,9})(?:[- /.](?<year>\d{2,4}))?$/i.exec(id) ??
    /^(?<month>[a-z]{3,9})[- /.](?<year>\d{2,4})$/i.exec(id) ??
    /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ].*)?$/.exec(id) ??
    /^(?<day>\d{1,2})[/.](?<month>\d{1,2})[/.](?<year>\d{2,4})$/.exec(id);
  if (!written?.groups) return [];
  const { day, month: said = '', year } = written.groups;
  const month = /^\d+$/.test(said) ? Number(said) : monthOf(said);
  if (Number.isNaN(month)) return [];
  const years = year === undefined ? [] : [Number(year), Number(year) % 100];
  if (day === undefined) return years.flatMap((one) => [`${month}-${one}`, `${one}-${month}`]);
  const orders = [`${Number(day)}-${month}`, `${month}-${Number(day)}`];
  return [
    ...orders,
    ...orders.flatMap((order) => years.map((one) => `${order}-${one}`)),
    ...years.map((one) => `${one}-${month}-${Number(day)}`),
  ];
};
