/**
 * JSON that survives parse and stringify byte for byte. So hashes over the text can be checked with the parsed value, and nothing changes
 * silently (an undefined that vanishes, a Date that becomes a string, keys that change their order).
 */

/** The value would change in JSON. `path` leads to the place, from `$`. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
  readonly path: string;
  readonly reason: string;
  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/**
 * JSON.stringify, for values that it would not change: `toText(JSON.parse(toText(value))) === toText(value)`, and the parsed value
 * equals the given one.
 *
 * @throws NotJson
 */
export const toText = (value: unknown): string => {
  check(value, [], 0);
  return JSON.stringify(value);
};

const MAX_DEPTH = 100;

type Path = (string | number)[];

const check = (value: unknown, path: Path, depth: number): void => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJson(show(path), `is ${value}`);
      if (Object.is(value, -0)) throw new NotJson(show(path), 'is -0, which would come back as 0');
      return;
    case 'object':
      if (value === null) return;
      if (depth === MAX_DEPTH) throw new NotJson(show(path), 'is nested too deeply, or in itself');
      if (Array.isArray(value)) checkArray(value, path, depth);
      else checkObject(value, path, depth);
      return;
    default:
      throw new NotJson(show(path), `is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`);
  }
};

const checkArray = (array: readonly unknown[], path: Path, depth: number): void => {
  if (Object.getPrototypeOf(array) !== Array.prototype) throw new NotJson(show(path), 'is an instance of a class');
  // Own keys are the elements and 'length': fewer are holes, more are names that stringify leaves out.
  if (Reflect.ownKeys(array).length !== array.length + 1) throw new NotJson(show(path), 'is an array with holes or named properties');
  for (let index = 0; index < array.length; index++) {
    path.push(index);
    check(array[index], path, depth + 1);
    path.pop();
  }
};

const checkObject = (object: object, path: Path, depth: number): void => {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw new NotJson(show(path), 'is an instance of a class');
  const members = object as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  if (Reflect.ownKeys(object).length !== keys.length) throw new NotJson(show(path), 'has symbols or hidden properties');
  for (const key of keys) {
    const value = members[key];
    path.push(key);
    if (isIndex(key)) throw new NotJson(show(path), 'is a key like an integer, which would change its place');
    if (key === '__proto__') throw new NotJson(show(path), 'is a key that is not safe to copy');
    check(value, path, depth + 1);
    path.pop();
  }
};

/** An array index, 0 .. 2^32 - 2 without leading zeros: objects list such keys first, whatever the order they were set in. */
const isIndex = (key: string): boolean => {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && String(Number(key) >>> 0) === key && key !== '4294967295';
};

const show = (path: Path): string =>
  path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), '$');
