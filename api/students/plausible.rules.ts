/** What looks wrong about the students of a file: names that do not fit their StudentIDs, garbled names, damaged IDs. Refuses nothing. */
import { CASES_SHOWN } from './plausible.contract.ts';
import type { IdDamage, StudentDoubts } from './plausible.contract.ts';
import { fitsName, isGarbled } from './person-names.contract.ts';
import { admissionKey } from './students.facts.ts';

/** A row of a file, or a student. */
export type Named = { readonly admissionNo: string; readonly name: string };

type Rows = {
  /** The rows of students whom we know, each with its student, and whether anything of it would be stored. */
  readonly known: readonly { readonly row: Named; readonly student: Named; readonly isStored: boolean }[];
  /** The rows whose StudentID is nobody's. */
  readonly unknown: readonly Named[];
  /** Students whom an unknown row may mean. Those whom another row of the file names are left out. */
  readonly candidates: readonly Named[];
};

/** As previews have it. */
export const asPart = <Doubts extends object>(doubts: Doubts): { readonly doubts?: Doubts } =>
  Object.keys(doubts).length > 0 ? { doubts } : {};

/** Counts of each kind, and the first cases of it; a kind without a case is absent. */
export const studentDoubts = ({ known, unknown, candidates }: Rows): StudentDoubts => {
  const named = new Set(known.map(({ student }) => admissionKey(student.admissionNo)));
  const ids = new Ids(candidates.filter(({ admissionNo }) => !named.has(admissionKey(admissionNo))));
  const names = cases(
    known.flatMap(({ row, student, isStored }) =>
      !isStored || fitsName(row.name, student.name) ? [] : [{ admissionNo: student.admissionNo, inFile: row.name, ours: student.name }],
    ),
  );
  const garbled = cases(
    [...known.map(({ row }) => row), ...unknown].flatMap(({ admissionNo, name }) =>
      isGarbled(name) ? [{ admissionNo: shownId(admissionNo), inFile: name }] : [],
    ),
  );
  const damaged = cases(unknown.flatMap((row) => ids.damageOf(row) ?? []));
  return { ...(names && { names }), ...(garbled && { garbled }), ...(damaged && { ids: damaged }) };
};

/** Cases of a kind as answers have them; undefined: there is none. */
export const cases = <Case>(all: readonly Case[]): { readonly count: number; readonly first: readonly Case[] } | undefined =>
  all.length === 0 ? undefined : { count: all.length, first: all.slice(0, CASES_SHOWN) };

/* StudentIDs */

/** Students by what is left of their StudentIDs after a damage. */
class Ids {
  readonly #students: readonly Named[];
  readonly #bare: ReadonlyMap<string, readonly Named[]>;
  readonly #numbers: ReadonlyMap<string, readonly Named[]>;
  readonly #rounded = new Map<number, ReadonlyMap<string, readonly Named[]>>();

  constructor(students: readonly Named[]) {
    this.#students = students;
    this.#bare = Map.groupBy(students, ({ admissionNo }) => bare(admissionNo));
    this.#numbers = Map.groupBy(
      students.filter(({ admissionNo }) => /^0\d+$/.test(admissionNo)),
      ({ admissionNo }) => withoutZeros(admissionNo),
    );
  }

  /** The damage of an ID that is nobody's, and whom it means; undefined: it does not look damaged. */
  damageOf({ admissionNo, name }: Named) {
    const id = admissionNo.trim();
    const found = this.#find(id);
    if (!found) return undefined;
    const byName =
      found.fitting.length > 1 && name !== '' ? found.fitting.filter((student) => fitsName(name, student.name)) : found.fitting;
    const [means, another] = byName;
    return {
      inFile: shownId(id),
      name,
      damage: found.damage,
      means: means && !another ? { admissionNo: shownId(means.admissionNo), name: means.name } : null,
    };
  }

  #find(id: string): { readonly damage: IdDamage; readonly fitting: readonly Named[] } | undefined {
    const unseen = this.#bare.get(bare(id)) ?? [];
    if (INVISIBLE.test(id)) return { damage: 'invisible', fitting: unseen };
    const ours = unseen.filter(({ admissionNo }) => INVISIBLE.test(admissionNo));
    if (ours.length > 0) return { damage: 'invisible', fitting: ours };
    if (EXPONENT.test(id)) return { damage: 'exponent', fitting: this.#exponents(id) };
    if (!/^\d+$/.test(id)) return undefined;
    const longer = (this.#numbers.get(withoutZeros(id)) ?? []).filter(({ admissionNo }) => admissionNo.length > id.length);
    return longer.length > 0 ? { damage: 'zeros', fitting: longer } : undefined;
  }

  /** Those whose number, rounded to as many digits, is the one that is written there. */
  #exponents(id: string): readonly Named[] {
    const written = id.replace(',', '.').toLowerCase();
    const digits = written.slice(0, written.indexOf('e')).replace('.', '').length - 1;
    const known =
      this.#rounded.get(digits) ??
      Map.groupBy(
        this.#students.filter(({ admissionNo }) => NUMBER.test(admissionNo)),
        ({ admissionNo }) => Number(admissionNo).toExponential(digits),
      );
    this.#rounded.set(digits, known);
    return known.get(Number(written).toExponential(digits)) ?? [];
  }
}

/** As spreadsheets write it: 1.23457E+12. */
const EXPONENT = /^\d(?:[.,]\d{1,14})?e\+\d{2,3}$/i;
/** What a spreadsheet takes for a number: 12E5 too. */
const NUMBER = /^\d{1,20}(?:e\d{1,2})?$/i;

/** What nobody sees, and every blank but the plain one. */
const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;

const bare = (id: string): string => admissionKey(id.replace(/[\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}]+/gu, ''));
const withoutZeros = (id: string): string => id.replace(/^0+(?=\d)/, '');

/** 'M0001[U+200C]' */
const shownId = (id: string): string =>
  id.replace(new RegExp(INVISIBLE, 'gu'), (letter) => `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
