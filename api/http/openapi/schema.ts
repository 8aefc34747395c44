import { z } from 'zod';
import { ref } from './common.ts';

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

export const json = (schema: object): object => ({ 'application/json': { schema } });

export const bodyOf = (input: z.ZodType): object => ({ required: true, content: json(jsonSchemaOf(input)) });

/** The input as query parameters; undefined if it has anything but texts and numbers. */
export const inAddress = ({ properties = {}, required = [] }: JsonSchema): object[] | undefined => {
  const fields = Object.entries(properties);
  if (fields.some(([, schema]) => typeof schema !== 'object' || !IN_ADDRESS.has(String(schema.type)))) return undefined;
  return fields.map(([field, schema]) => ({ name: field, in: 'query', required: required.includes(field), schema }));
};

const IN_ADDRESS = new Set(['string', 'integer', 'number']);

export const problems = { default: ref('responses', 'Problem') };
