import { callAccess } from '../../api/access.ts';
import type { CallName } from '../../api/access.ts';
import type { Call } from '../../api/calls/call.ts';
import { areas } from '../../api/calls/calls.ts';
import { whoMay } from '../../api/http/openapi/who-may.ts';
import type { JsonSchema } from '../../api/http/openapi/schema.ts';
import { answerOf, jsonSchemaOf } from '../../api/http/openapi/schema.ts';

/** Where the generated part of docs/calls.md begins. */
const MARK = '<!-- Below this line `npm run check -- --calls` writes. -->';

/** docs/calls.md with its table as the code has it. */
export const withCalls = (text: string): string => `${text.slice(0, text.indexOf(MARK) + MARK.length)}\n\n${sections()}`;

const sections = (): string =>
  Object.entries(areas)
    .filter(([, rows]) => Object.keys(rows).length > 0)
    .map(
      ([area, rows]) => `## ${area}\n\n${HEAD}\n${(Object.entries(rows) as [CallName, Call][]).map(row).join('\n')}\n${differences(rows)}`,
    )
    .join('\n');

const HEAD = '| call | purpose | parameters | answer | roles | behind it |\n|---|---|---|---|---|---|';

const row = ([name, { purpose, asks, takes, answers, behind, models = [] }]: [CallName, Call]): string => {
  const parameters = [
    ...(asks === undefined ? [] : [`query ${fields(jsonSchemaOf(asks))}`]),
    ...(takes === undefined ? [] : [`body ${fields(jsonSchemaOf(takes))}`]),
  ];
  const from = behind.length > 0 ? behind.join(', ') : `reads ${models.join(', ')}`;
  return `| ${[`\`${name}\``, purpose, parameters.join('; ') || 'none', fields(answerOf(answers)), whoMay(callAccess[name]), from].map(cell).join(' | ')} |`;
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The names in a schema: `[{SetId, SetName}]`; a name that may be missing has a question mark. */
const fields = (schema: JsonSchema): string => {
  const { type, properties, required = [], items, anyOf } = schema;
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => (typeof one === 'object' ? fields(one) : '')))].join(' or ');
  if (type === 'array') return `[${typeof items === 'object' && !Array.isArray(items) ? fields(items) : ''}]`;
  if (type !== 'object') return typeof type === 'string' ? type : 'value';
  if (!properties) return '{...}';
  const named = Object.entries(properties).map(([name, inner]) => {
    const shape = typeof inner === 'object' ? fields(inner) : '';
    return `${name}${required.includes(name) ? '' : '?'}${/[[{]/.test(shape) ? `: ${shape}` : ''}`;
  });
  return `{${named.join(', ')}}`;
};

const differences = (rows: Readonly<Record<string, Call>>): string => {
  const items = Object.entries(rows).flatMap(([name, { differs = '' }]) => (differs === '' ? [] : [`- \`${name}\`: ${differs}`]));
  return items.length === 0 ? '' : `\nWhat differs from the documents, or is open in them:\n\n${items.join('\n')}\n`;
};
