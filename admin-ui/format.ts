import { naturalOrder } from '#api/contract/order';

/** '1 set', '3 sets' */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** 11X2 comes before 11X10. */
export const byName = (one: { readonly name: string }, other: { readonly name: string }): number => naturalOrder(one.name, other.name);

/** 'a, b and c' */
export const listed = (parts: readonly string[]): string => new Intl.ListFormat('en-GB').format(parts);

const date = new Intl.DateTimeFormat('en-GB');
/** 21/11/2026 in the reader's zone */
export const day = (iso: string): string => date.format(new Date(iso));
