/** '1 set', '3 sets' */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** 'a, b and c' */
export const listed = (parts: readonly string[]): string => new Intl.ListFormat('en-GB').format(parts);
