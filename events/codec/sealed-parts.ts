/** Finds the personal parts of a schema, and of values of that schema. */
import type { z } from 'zod';
import { type SealedBy, sealedBy } from './event.ts';

/** A personal part in a value: `holder[key]`, sealed under the person's key. `place`: its path in the schema, such as `rows[].person`. */
export type Slot = { readonly holder: Record<string, unknown>; readonly key: string; readonly person: string; readonly place: string };

/**
 * A function that lists the personal parts of a value of the schema; undefined for a schema without any.
 * It only looks at holders and ids, so it works before sealing and before opening.
 *
 * The function throws TypeError when a part is there and its person is not.
 *
 * @throws TypeError for a schema that events cannot use
 */
export const sealedParts = (schema: z.core.$ZodType): ((data: unknown, author: string) => Slot[]) | undefined => {
  const plan = planOf(schema, '');
  if (plan === undefined) return undefined;
  return (data, author) => {
    const slots: Slot[] = [];
    collect(plan, data, author, slots);
    return slots;
  };
};

/** How to walk to the personal parts; branches without any have no plan. */
type Plan = {
  readonly parts: ReadonlyMap<string, Part>;
  readonly fields: ReadonlyMap<string, Plan>;
  /** of arrays */
  readonly elements: Plan | undefined;
  /** of records */
  readonly values: Plan | undefined;
};
type Part = { readonly by: SealedBy; readonly place: string };

const NO_PARTS: ReadonlyMap<string, Part> = new Map();
const NO_FIELDS: ReadonlyMap<string, Plan> = new Map();
const NOTHING: Plan = { parts: NO_PARTS, fields: NO_FIELDS, elements: undefined, values: undefined };

const collect = (plan: Plan, value: unknown, author: string, slots: Slot[]): void => {
  if (Array.isArray(value)) {
    if (plan.elements !== undefined) for (const element of value) collect(plan.elements, element, author, slots);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, { by, place }] of plan.parts) {
    if (value[key] === undefined || value[key] === null) continue;
    const person = by === 'author' ? author : value[by.field];
    if (typeof person !== 'string')
      throw new TypeError(`${place} belongs to a person, but ${by === 'author' ? 'the author' : by.field} is no id`);
    slots.push({ holder: value, key, person: person.toLowerCase(), place });
  }
  for (const [key, field] of plan.fields) collect(field, value[key], author, slots);
  if (plan.values !== undefined) for (const member of Object.values(value)) collect(plan.values, member, author, slots);
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const planOf = (schema: z.core.$ZodType, path: string): Plan | undefined => {
  if (sealedBy(schema) !== undefined) throw new TypeError(`${path || 'an event'}: a sealed part must be a field of an object`);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return planOfObject(def.shape, path);
    case 'array':
      return within(planOf(def.element, `${path}[]`), (elements) => ({ ...NOTHING, elements }));
    case 'record':
      return within(planOf(def.valueType, `${path}{}`), (values) => ({ ...NOTHING, values }));
    case 'union':
      return planOfUnion(def.options, path);
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return planOf(def.innerType, path);
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'literal':
    case 'enum':
    case 'template_literal':
    case 'never':
      return undefined;
    default:
      throw new TypeError(`${path || 'an event'}: an event's schema cannot use ${def.type}, whose JSON nobody can foresee`);
  }
};

const planOfObject = (shape: Readonly<Record<string, z.core.$ZodType>>, path: string): Plan | undefined => {
  const parts = new Map<string, Part>();
  const fields = new Map<string, Plan>();
  for (const [key, field] of Object.entries(shape)) {
    const place = path === '' ? key : `${path}.${key}`;
    const inner = bare(field);
    const by = sealedBy(inner);
    if (by === undefined) {
      const plan = planOf(field, place);
      if (plan !== undefined) fields.set(key, plan);
      continue;
    }
    if (by !== 'author' && !Object.hasOwn(shape, by.field))
      throw new TypeError(`${place} is sealed by ${by.field}, which is not beside it`);
    if (planOfPart(inner, place) !== undefined) throw new TypeError(`${place} is sealed as a whole: nothing in it can be sealed again`);
    parts.set(key, { by, place });
  }
  return parts.size + fields.size === 0 ? undefined : { ...NOTHING, parts, fields };
};

/** A sealed part may be optional or nullable. */
const bare = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly' ? bare(def.innerType) : schema;
};

const planOfPart = (schema: z.core.$ZodType, path: string): Plan | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'object' ? planOfObject(def.shape, path) : undefined;
};

/** The variants' plans in one: a field must be sealed in all variants that have it, or in none. */
const planOfUnion = (options: readonly z.core.$ZodType[], path: string): Plan | undefined => {
  const plans = options.map((option) => planOf(option, path));
  const sealedKeys = new Set(plans.flatMap((plan) => [...(plan?.parts.keys() ?? [])]));
  for (const key of sealedKeys) {
    const ways = new Set(options.flatMap((option) => waysToSeal(option, key)));
    if (ways.size > 1) throw new TypeError(`${path || 'an event'}: ${key} is sealed in one variant and otherwise in another`);
  }
  return plans.reduce((one, other) => (one === undefined ? other : other === undefined ? one : merged(one, other)), undefined);
};

const waysToSeal = (schema: z.core.$ZodType, key: string): string[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'union') return def.options.flatMap((option: z.core.$ZodType) => waysToSeal(option, key));
  const field = def.type === 'object' ? def.shape[key] : undefined;
  return field === undefined ? [] : [JSON.stringify(sealedBy(bare(field)) ?? 'plain')];
};

const merged = (one: Plan, other: Plan): Plan => ({
  parts: new Map([...one.parts, ...other.parts]),
  fields: new Map([...one.fields, ...[...other.fields].map(([key, plan]) => [key, both(one.fields.get(key), plan)] as const)]),
  elements:
    one.elements === undefined || other.elements === undefined ? (one.elements ?? other.elements) : merged(one.elements, other.elements),
  values: one.values === undefined || other.values === undefined ? (one.values ?? other.values) : merged(one.values, other.values),
});

const both = (one: Plan | undefined, other: Plan): Plan => (one === undefined ? other : merged(one, other));

const within = (inner: Plan | undefined, outer: (inner: Plan) => Plan): Plan | undefined =>
  inner === undefined ? undefined : outer(inner);
