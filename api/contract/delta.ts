/**
 * The difference between two values of JSON, as it travels to pages that hold the first. `applied` makes the second of it exactly.
 *
 * - `is`: another value
 * - `of`: changes of some fields; `without`: fields that are gone
 * - `at`: changes of some elements, by their place
 * - `splice`: from this place so many elements are replaced by others
 */
export type Delta =
  | { readonly is: unknown }
  | { readonly of: Readonly<Record<string, Delta>>; readonly without?: readonly string[] }
  | { readonly at: Readonly<Record<number, Delta>> }
  | { readonly splice: readonly [from: number, count: number, elements: readonly unknown[]] };

type Fields = Readonly<Record<string, unknown>>;

/** Undefined: they are equal. The values are as JSON.parse returns them. */
export const deltaOf = (one: unknown, other: unknown): Delta | undefined => {
  if (one === other) return undefined;
  if (Array.isArray(one) && Array.isArray(other)) return ofArrays(one, other);
  if (isFields(one) && isFields(other)) return ofFields(one, other);
  return { is: other };
};

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const ofFields = (one: Fields, other: Fields): Delta | undefined => {
  const changed: [name: string, delta: Delta][] = [];
  for (const name of Object.keys(other)) {
    const delta = Object.hasOwn(one, name) ? deltaOf(one[name], other[name]) : { is: other[name] };
    if (delta) changed.push([name, delta]);
  }
  const without = Object.keys(one).filter((name) => !Object.hasOwn(other, name));
  if (changed.length === 0 && without.length === 0) return undefined;
  return { of: Object.fromEntries(changed), ...(without.length > 0 && { without }) };
};

const ofArrays = (one: readonly unknown[], other: readonly unknown[]): Delta | undefined => {
  if (one.length === other.length) {
    let at: Record<number, Delta> | undefined;
    let differing = 0;
    for (const [place, element] of other.entries()) {
      const delta = deltaOf(one[place], element);
      if (!delta) continue;
      (at ??= {})[place] = delta;
      differing += 1;
    }
    if (!at) return undefined;
    if (differing <= FEW) return { at };
    const splice = spliced(one, other);
    return JSON.stringify(splice).length < JSON.stringify(at).length ? splice : { at };
  }
  return spliced(one, other);
};

/** More may be one element that moved. */
const FEW = 3;

const spliced = (one: readonly unknown[], other: readonly unknown[]): Delta => {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && deltaOf(one[start], other[start]) === undefined) start += 1;
  let end = 0;
  while (end < shorter - start && deltaOf(one.at(-1 - end), other.at(-1 - end)) === undefined) end += 1;
  return { splice: [start, one.length - end - start, other.slice(start, other.length - end)] };
};

/** What does not change stays the same object. `delta` must have been made from an equal value. */
export const applied = (delta: Delta, value: unknown): unknown => {
  if ('is' in delta) return delta.is;
  if ('of' in delta) {
    const fields = new Map(Object.entries(isFields(value) ? value : {}));
    for (const [name, change] of Object.entries(delta.of)) fields.set(name, applied(change, fields.get(name)));
    for (const name of delta.without ?? []) fields.delete(name);
    return Object.fromEntries(fields);
  }
  const elements: unknown[] = Array.isArray(value) ? Array.from<unknown>(value) : [];
  if ('splice' in delta) elements.splice(delta.splice[0], delta.splice[1], ...delta.splice[2]);
  else for (const [place, change] of Object.entries(delta.at)) elements[Number(place)] = applied(change, elements[Number(place)]);
  return elements;
};
