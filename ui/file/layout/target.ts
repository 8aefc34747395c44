/** What a table is read for, and what its rows and columns are found to be. */

export type Rows = readonly (readonly string[])[];

/** What a column is. `v0`, `v1`, ...: the values of a target's columns; '': left out. */
export type Role = '' | Who | 'set' | 'birth' | `v${number}`;
type Who = 'id' | 'name' | 'first-last' | 'surname' | 'first';

/** What a table is read for. */
export type Target = {
  /** What it takes besides values. */
  readonly roles: readonly Exclude<Role, '' | `v${number}`>[];
  readonly values: readonly Value[];
  /** Whether a heading is of values of which any column may be any, such as the name of an assessment. */
  readonly heads?: (heading: string) => boolean;
  /** Whether a text is a StudentID or the name of somebody; left out: nobody is known. */
  readonly knows?: (text: string) => boolean;
};
/** A column of values: 'Q3', and how else it may be headed. */
export type Value = { readonly name: string; readonly also?: readonly string[]; readonly max?: number };

export type RowKind = 'heading' | 'maximum' | 'summary' | 'title' | 'blank' | 'row';
export type Layout = {
  readonly roles: readonly Role[];
  /** The row of the headings; undefined: it has none. */
  readonly header: number | undefined;
  readonly kinds: readonly RowKind[];
};

/** The column of the target that a role is of; undefined: it is of none. */
export const valueIn = (role: Role): number | undefined => (/^v\d+$/.test(role) ? Number(role.slice(1)) : undefined);
