import type { HistoryAsked, RecordKind } from '#api/history/history.contract';

/** What the record is narrowed to. The names are those of the ids, for whoever reads the page. Days are `YYYY-MM-DD` in the reader's zone. */
export type RecordFilters = {
  readonly text?: string;
  readonly kind?: RecordKind;
  readonly by?: string;
  readonly byName?: string;
  readonly about?: string;
  readonly aboutName?: string;
  readonly from?: string;
  readonly to?: string;
};

export const kindNames: Readonly<Record<RecordKind, string>> = {
  marks: 'Marks',
  tasks: 'Feedback tasks',
  prior: 'Prior scores',
  students: 'Students',
  assessments: 'Assessments and mappings',
  lists: 'Revision lists',
  structure: 'School structure',
  accounts: 'Accounts',
  looks: 'Looked at and handed out',
};

/** In the order in which they are offered. */
export const kinds = Object.keys(kindNames).filter(isKind);

const FIELDS = ['text', 'kind', 'by', 'byName', 'about', 'aboutName', 'from', 'to'] as const;

/** Those in an address; what is no filter is left out. */
export const filtersIn = (search: URLSearchParams): RecordFilters =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = search.get(field);
      return value === null || value === '' || (field === 'kind' && !isKind(value)) ? [] : [[field, value]];
    }),
  );

/** The address with these filters instead of those in it. */
export const withFilters = (search: URLSearchParams, filters: RecordFilters): URLSearchParams => {
  const after = new URLSearchParams(search);
  for (const field of FIELDS) {
    const value = filters[field];
    if (value === undefined || value === '') after.delete(field);
    else after.set(field, value);
  }
  return after;
};

/** The address of the same as a file. */
export const fileOf = (ending: 'csv' | 'ndjson', filters: RecordFilters): string =>
  `/api/history.${ending}?${new URLSearchParams(Object.entries(inputOf(filters)).map(([name, value]) => [name, String(value)])).toString()}`;

export const inputOf = ({ byName: _by, aboutName: _about, from, to, ...filters }: RecordFilters): HistoryAsked => ({
  ...filters,
  ...(from === undefined ? {} : { from: new Date(`${from}T00:00:00`).toISOString() }),
  ...(to === undefined ? {} : { to: new Date(`${to}T23:59:59.999`).toISOString() }),
});

/** Also of what stands in an address, and of a choice of the bar. */
export function isKind(value: string): value is RecordKind {
  return Object.hasOwn(kindNames, value);
}

/** The name of the reader's time zone, such as Europe/London. */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
