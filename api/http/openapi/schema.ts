import { z } from 'zod';
import type { Role } from '../../../events/codec/event.ts';
import type { Largest } from '../../common/body-size.ts';
import { inWords, mostBytes } from '../../common/body-size.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of the input, before transformations. */
export const jsonSchemaOf = (input: z.ZodType): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // A format is clearer than its long pattern.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return schema;
};

/** The JSON Schema of an answer. It may get more fields in later versions. */
export const answerOf = (answer: z.ZodType): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(answer, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema;
};

export const json = (schema: object): object => ({ 'application/json': { schema } });

/** `largest`: how large it may be, in words. */
export const bodyOf = (input: z.ZodType, largest: string): object => ({
  required: true,
  description: largest,
  content: json(jsonSchemaOf(input)),
});

/** How large a body of these roles may be. `roles` undefined: of anybody. */
export const largestOf = (roles: readonly Role[] | undefined, largest: Largest | undefined): string => {
  if (!roles) return `At most ${inWords(mostBytes(undefined, largest))}.`;
  const ofStudents = inWords(mostBytes('student', largest));
  if (roles.every((role) => role === 'student')) return `At most ${ofStudents}.`;
  return `At most ${inWords(mostBytes('admin', largest))}${roles.includes('student') ? `; ${ofStudents} of a student` : ''}.`;
};

/** The input as query parameters; undefined if it has anything but texts and numbers. */
export const inAddress = ({ properties = {}, required = [] }: JsonSchema): object[] | undefined => {
  const fields = Object.entries(properties);
  if (fields.some(([, schema]) => typeof schema !== 'object' || !IN_ADDRESS.has(String(schema.type)))) return undefined;
  return fields.map(([field, schema]) => ({ name: field, in: 'query', required: required.includes(field), schema }));
};

const IN_ADDRESS = new Set(['string', 'integer', 'number']);
