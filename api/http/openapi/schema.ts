import { z } from 'zod';
import { ref } from './common.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What is taken, before it is read. */
export const jsonSchemaOf = (input: z.ZodType): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // A format says it in a word.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return schema;
};

export const json = (schema: object): object => ({ 'application/json': { schema } });

export const bodyOf = (input: z.ZodType): object => ({ required: true, content: json(jsonSchemaOf(input)) });

/** The fields of what is asked, if they can be said in an address: texts and numbers only. */
export const inAddress = ({ properties = {}, required = [] }: JsonSchema): object[] | undefined => {
  const fields = Object.entries(properties);
  if (fields.some(([, schema]) => typeof schema !== 'object' || !IN_ADDRESS.has(String(schema.type)))) return undefined;
  return fields.map(([field, schema]) => ({ name: field, in: 'query', required: required.includes(field), schema }));
};

const IN_ADDRESS = new Set(['string', 'integer', 'number']);

export const problems = { default: ref('responses', 'Problem') };
