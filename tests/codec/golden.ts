/**
 * Golden files: for each version of each type of event, how it stood in the log when that version was new, and its schema then.
 * They are written once and never changed, because what they hold is what logs out there hold.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { codec } from '../../events/codec/codec.ts';
import type { EventType, EventTypes } from '../../events/codec/event.ts';
import { commandMetadata, isForgotten, sealedBy } from '../../events/codec/event.ts';
import { eventId } from '../../events/codec/ids.ts';
import type { NewEvent } from '../../events/store/port.ts';
import { samples } from './sample.ts';
import { keysInMemory, metadata, reader, recorded, school, uuid } from './support.ts';

type Golden = {
  readonly type: string;
  readonly version: number;
  /** JSON Schema of the data as written; sealed parts are marked */
  readonly schema: unknown;
  readonly examples: readonly { readonly data: unknown; readonly stored: NewEvent }[];
};

/** The envelope has a file too: its schema. */
const ENVELOPE = 'envelope.json';

/** Writes the files of today's versions that are missing, and answers their names. An existing file is never touched. */
export const writeGolden = async (types: EventTypes, folder: URL): Promise<string[]> => {
  await mkdir(folder, { recursive: true });
  const there = new Set(await readdir(folder));
  const missing = Object.entries(types).filter(([type, { version }]) => !there.has(fileName(type, version)));
  for (const [type, eventType] of missing) {
    await writeFile(new URL(fileName(type, eventType.version), folder), layout(await golden(type, eventType)), { flag: 'wx' });
  }
  if (!there.has(ENVELOPE)) await writeFile(new URL(ENVELOPE, folder), layout({ schema: described(commandMetadata) }), { flag: 'wx' });
  return missing.map(([type, { version }]) => fileName(type, version));
};

/** What is wrong, in sentences. */
export const goldenProblems = async (types: EventTypes, folder: URL): Promise<string[]> => {
  const problems: string[] = [];
  const files = new Set(await readdir(folder).catch(() => []));
  for (const [type, { version, oldest }] of Object.entries(types)) {
    for (let each = oldest; each <= version; each++) {
      if (!files.has(fileName(type, each))) problems.push(`${fileName(type, each)} is missing`);
    }
  }
  if (files.size > 0 && !files.has(ENVELOPE)) problems.push(`${ENVELOPE} is missing`);
  for (const file of files) {
    const written: unknown = JSON.parse(await readFile(new URL(file, folder), 'utf8'));
    const found = file === ENVELOPE ? problemsOfEnvelope(written as Pick<Golden, 'schema'>) : await problemsOf(written as Golden, types);
    for (const problem of found) problems.push(`${file}: ${problem}`);
  }
  return problems;
};

const fileName = (type: string, version: number): string => `${type}.v${version}.json`;

const golden = async (type: string, eventType: EventType): Promise<Golden> => {
  const { version, schema } = eventType;
  const { encode } = codec({ registry: { [type]: eventType }, keys: keysInMemory() });
  const data = samples(schema);
  const ids = data.map((_, index) => eventId(uuid(`golden ${type}`), index));
  const stored = await encode(
    school,
    data.map((each) => ({ type, data: each })),
    ids,
    metadata(),
  );
  return {
    type,
    version,
    schema: described(schema),
    examples: data.map((each, index) => ({ data: each, stored: stored[index]! })),
  };
};

const problemsOf = async ({ type, version, schema, examples }: Golden, types: EventTypes): Promise<string[]> => {
  const eventType = types[type];
  if (eventType === undefined) return ['the type is gone, but logs hold it'];
  const known = version === eventType.version ? eventType.schema : eventType.upcasters[version]?.from;
  if (known === undefined) return ['the version is gone, but logs hold it'];
  const problems: string[] = [];
  if (!isDeepStrictEqual(described(known), schema)) problems.push('the schema has changed: that needs a new version, with an upcaster');

  const log = recorded(examples.map(({ stored }) => stored));
  const keys = keysInMemory({ everybody: true });
  const { decode } = codec({ registry: { [type]: eventType }, keys });
  try {
    for (const [index, { data }] of (await decode(log, reader(log))).entries()) {
      const fits = eventType.schema.safeParse(data);
      if (!fits.success) problems.push(`example ${index} reads as what today's schema refuses: ${fits.error.message}`);
      const asWritten = examples[index]!.data;
      if (version === eventType.version && !isDeepStrictEqual(data, asWritten))
        problems.push(`example ${index} does not read as it was written`);
    }
    for (const person of keys.queries.flat()) await keys.forget(person);
    const forgotten = await decode(log, reader(log));
    if (keys.queries.length > 0 && !forgotten.some(({ data }) => holdsForgotten(data)))
      problems.push('its upcasters lose what is Forgotten');
  } catch (error) {
    problems.push(`cannot be read: ${String(error)}`);
  }
  return problems;
};

/** It has no version, because every reader of every event needs it: it can only grow by fields that may be absent. */
const problemsOfEnvelope = ({ schema }: Pick<Golden, 'schema'>): string[] =>
  isDeepStrictEqual(described(commandMetadata), schema)
    ? []
    : ['the envelope has changed: if all that logs hold still fits, delete this file and write it anew'];

const holdsForgotten = (value: unknown): boolean =>
  isForgotten(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsForgotten));

/** As plain JSON, so that it compares with what a file holds. A format says more than the pattern that zod happens to check it by. */
const described = (schema: z.ZodType): unknown =>
  JSON.parse(
    JSON.stringify(
      z.toJSONSchema(schema, {
        io: 'input',
        override: ({ zodSchema, jsonSchema }) => {
          if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
          const by = sealedBy(zodSchema);
          if (by !== undefined) jsonSchema['sealedBy'] = by;
        },
      }),
    ),
  );

/** A line per field, and per example. */
const layout = (file: object): string => {
  const fields = Object.entries(file).map(([name, value]: [string, unknown]) => {
    const text = Array.isArray(value) ? `[\n${value.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]` : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${fields.join(',\n')}\n}\n`;
};
