import { arrayLiteral } from '../../../events/array-literal.ts';
import type { ColumnSpec } from './table.ts';

/**
 * Converts values of a column to PostgreSQL's text format and back. Rows are transferred as text: parsing costs nothing until a row is
 * used, and two rows are equal if their texts are.
 */
export const toText = (column: ColumnSpec, value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' && !column.parsed) return value;
  switch (column.type) {
    case 'json':
    case 'jsonb':
      return column.parsed ? JSON.stringify(value) : String(value);
    case 'bool':
      return value === true ? 't' : 'f';
    case 'uuid[]':
    case 'int4[]':
      return `{${asArray(value).join()}}`;
    case 'text[]':
      return arrayLiteral(asArray(value).map(String), true);
    default:
      return String(value);
  }
};

export const fromText = (column: ColumnSpec, text: string | null): unknown => {
  if (text === null) return null;
  switch (column.type) {
    case 'json':
    case 'jsonb':
      return column.parsed ? JSON.parse(text) : text;
    case 'bool':
      return text === 't';
    case 'int2':
    case 'int4':
    case 'float8':
      return Number(text);
    case 'int8':
      return BigInt(text);
    case 'timestamptz':
      return new Date(text).toISOString();
    case 'uuid[]':
      return plainArray(text);
    case 'text[]':
      return textArray(text);
    case 'int4[]':
      return plainArray(text).map(Number);
    default:
      return text;
  }
};

/** PostgreSQL's text of a value may differ from `toText`: parsed and written again, they are the same. */
export const normalised = (column: ColumnSpec, text: string | null): string | null =>
  respelled.has(column.type) ? toText(column, fromText(column, text)) : text;

const respelled: ReadonlySet<string> = new Set(['timestamptz', 'float8', 'text[]']);

/** The literal of an array parameter: one column of many rows. */
export const columnLiteral = (column: ColumnSpec, texts: readonly (string | null)[]): string => arrayLiteral(texts, needsQuotes(column));

/** `unnest` would flatten an array of arrays, so these are sent as text and cast row by row. */
export const parameterType = (column: ColumnSpec): string => (column.type.endsWith('[]') ? 'text[]' : `${column.type}[]`);

const needsQuotes = ({ type }: ColumnSpec): boolean => type === 'text' || type === 'json' || type === 'jsonb' || type.endsWith('[]');

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parses `{1,2}`: ids and numbers need no quotes. */
const plainArray = (text: string): string[] => (text === '{}' ? [] : text.slice(1, -1).split(','));

/** Parses `{a,"b, c"}`: elements are quoted if they contain special characters. */
const textArray = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},]+)/gs)].map(([, quoted, plain]) => plain ?? (quoted ?? '').replace(/\\(.)/gs, '$1'));
