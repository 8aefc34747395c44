import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { codec, InvalidEvent, UnknownEventType, UnknownEventVersion } from '../../events/codec/codec.ts';
import {
  among,
  event,
  type EventOf,
  type EventType,
  type EventTypes,
  forgotten,
  isForgotten,
  type ReadEventOf,
  registry,
  sealed,
  sealedByAuthor,
  upcaster,
} from '../../events/codec/event.ts';
import { eventId } from '../../events/codec/ids.ts';
import { NotJson } from '../../events/codec/json.ts';
import { KeyMissing, PersonForgotten } from '../../events/codec/keys.ts';
import { SealBroken } from '../../events/codec/personal.ts';
import { author, keysInMemory, metadata, reader, recorded, school, uuid } from './support.ts';

const id = z.uuid().lowercase();
const person = z.strictObject({ name: z.string(), email: z.string().optional() });

const kinds = {
  Admitted: event(
    1,
    z.strictObject({
      subjectId: id,
      students: z.array(z.strictObject({ studentId: id, person: sealed('studentId', person) })),
      about: sealedByAuthor(z.strictObject({ fileName: z.string() })).optional(),
    }),
  ),
  Corrected: event(
    1,
    z.strictObject({
      studentId: id,
      before: sealed('studentId', person),
      after: sealed('studentId', person.meta({ title: 'as it is spelt now' })),
    }),
  ),
  Noted: event(
    1,
    z.strictObject({
      note: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('about'), studentId: id, text: sealed('studentId', z.strictObject({ text: z.string() })) }),
        z.strictObject({
          kind: z.literal('general'),
          teacherId: id,
          remark: sealedByAuthor(z.strictObject({ text: z.string() })).nullable(),
        }),
      ]),
      byTerm: z.record(z.string(), z.strictObject({ studentId: id, person: sealed('studentId', person) })),
    }),
  ),
  Renamed: event(1, z.object({ name: z.string(), reason: z.string().optional() })),
};
const types = registry(kinds);
const [anna, ben] = [uuid('anna'), uuid('ben')];

const setUp = () => {
  const keys = keysInMemory();
  return { keys, ...codec({ registry: types, keys }) };
};
const idsFor = (events: readonly unknown[]): string[] => events.map((_, index) => eventId(metadata().commandId, index));
const none = reader([]);

const admitted: EventOf<typeof kinds> = {
  type: 'Admitted',
  data: {
    subjectId: uuid('maths'),
    students: [
      { studentId: anna, person: { name: 'Anna Smith' } },
      { studentId: ben, person: { name: 'Ben O’Hara', email: 'ben@school.example' } },
    ],
    about: { fileName: 'year 7.csv' },
  },
};
const renamed: EventOf<typeof kinds> = { type: 'Renamed', data: { name: 'Maths' } };

describe('there and back', () => {
  test('events come back as they were written, in their place, with their envelope', async () => {
    const { encode, decode } = setUp();
    const events = [admitted, renamed];
    const read = await decode(recorded(await encode(school, events, idsFor(events), metadata()), 'roster-x', 4n), none);
    expect(read.map(({ type, data }) => ({ type, data }))).toEqual(events);
    expect(read[1]).toMatchObject({
      id: idsFor(events)[1],
      stream: 'roster-x',
      revision: 5n,
      position: 1005n,
      metadata: { ...metadata(), schoolId: school, schemaVersion: 1 },
    });
  });

  test('no name, file name or address stands in the log', async () => {
    const { encode } = setUp();
    const [text] = await encode(school, [admitted], idsFor([1]), metadata());
    expect(text!.data).not.toMatch(/Anna Smith|O’Hara|@school|year 7|"name"/i);
    expect(JSON.parse(text!.data)).toMatchObject({
      subjectId: uuid('maths'),
      students: [{ studentId: anna, person: expect.any(String) }, {}],
    });
  });

  test('variants and records keep their personal parts apart', async () => {
    const { encode, decode, keys } = setUp();
    const events: EventOf<typeof kinds>[] = [
      {
        type: 'Noted',
        data: {
          note: { kind: 'about', studentId: anna, text: { text: 'is ill' } },
          byTerm: { autumn: { studentId: ben, person: { name: 'Ben O’Hara' } } },
        },
      },
      { type: 'Noted', data: { note: { kind: 'general', teacherId: ben, remark: { text: 'fire alarm' } }, byTerm: {} } },
      { type: 'Noted', data: { note: { kind: 'general', teacherId: ben, remark: null }, byTerm: {} } },
    ];
    const texts = await encode(school, events, idsFor(events), metadata());
    expect(texts.map(({ data }) => data).join()).not.toMatch(/is ill|Ben O|fire alarm/);
    const read = await decode(recorded(texts), none);
    expect(read.map(({ type, data }) => ({ type, data }))).toEqual(events);
    expect(keys.queries).toEqual([[anna, ben, author]]);
  });

  test('the text is one that JSON would write again, and does not hang on the order of the fields given', async () => {
    const { encode } = setUp();
    const swapped = { type: 'Renamed', data: { reason: 'typing error', name: 'Maths' } } as const;
    const [text] = await encode(school, [swapped], idsFor([1]), metadata());
    expect(text!.data).toBe('{"name":"Maths","reason":"typing error"}');
    expect(JSON.stringify(JSON.parse(text!.metadata))).toBe(text!.metadata);
  });

  test('what is undefined is absent', async () => {
    const { encode } = setUp();
    const [text] = await encode(school, [{ type: 'Renamed', data: { name: 'Maths', reason: undefined } }], idsFor([1]), {
      ...metadata(),
      typedAt: undefined,
    });
    expect(text!.data).toBe('{"name":"Maths"}');
    expect(JSON.parse(text!.metadata)).not.toHaveProperty('typedAt');
  });

  test('the caller’s own data stay as they were', async () => {
    const { encode } = setUp();
    const before = structuredClone(admitted);
    await encode(school, [admitted], idsFor([1]), metadata());
    expect(admitted).toEqual(before);
  });
});

describe('what is not written', () => {
  const refused = async (data: unknown, type = 'Renamed') => {
    const { encode } = setUp();
    return await encode(school, [{ type, data } as EventOf<typeof kinds>], idsFor([1]), metadata());
  };

  test('an event that its schema does not know', async () => {
    await expect(refused({ name: 1 })).rejects.toThrow(InvalidEvent);
    await expect(refused({}, 'Unheard')).rejects.toThrow(UnknownEventType);
  });

  test('an unknown field, even where the schema is not strict: it could be personal', async () => {
    await expect(refused({ name: 'Maths', dateOfBirth: '2012-03-04' })).rejects.toThrow('dateOfBirth is not in the schema');
  });

  test('an unknown field inside a personal part', async () => {
    await expect(refused({ studentId: anna, before: { name: 'A' }, after: { name: 'B', x: 1 } }, 'Corrected')).rejects.toThrow(
      InvalidEvent,
    );
  });

  test('JSON that would come back changed', async () => {
    const loose = codec({ registry: { Counted: event(1, z.object({ by: z.record(z.string(), z.number()) })) }, keys: keysInMemory() });
    await expect(loose.encode(school, [{ type: 'Counted', data: { by: { 12: 1 } } }], idsFor([1]), metadata())).rejects.toThrow(NotJson);
    await expect(loose.encode(school, [{ type: 'Counted', data: { by: { a: -0 } } }], idsFor([1]), metadata())).rejects.toThrow(NotJson);
  });

  test('an envelope with something missing', async () => {
    const { encode } = setUp();
    await expect(encode(school, [renamed], idsFor([1]), { ...metadata(), at: 'yesterday' })).rejects.toThrow(InvalidEvent);
  });

  test('anything personal about somebody who was forgotten', async () => {
    const { encode, keys } = setUp();
    await keys.forget(anna);
    await expect(encode(school, [admitted], idsFor([1]), metadata())).rejects.toThrow(PersonForgotten);
  });
});

describe('forgetting', () => {
  test('a forgotten person’s parts read as Forgotten, all others stay', async () => {
    const { encode, decode, keys } = setUp();
    const texts = recorded(await encode(school, [admitted], idsFor([1]), metadata()));
    await keys.forget(anna);
    const [read] = await decode(texts, none);
    expect(read!.data).toEqual({
      subjectId: uuid('maths'),
      students: [
        { studentId: anna, person: forgotten },
        { studentId: ben, person: { name: 'Ben O’Hara', email: 'ben@school.example' } },
      ],
      about: { fileName: 'year 7.csv' },
    });
  });

  test('what an author typed goes with the author', async () => {
    const { encode, decode, keys } = setUp();
    const texts = recorded(await encode(school, [admitted], idsFor([1]), metadata()));
    await keys.forget(author);
    const [read] = await decode(texts, none);
    expect(read).toMatchObject({ data: { about: forgotten } });
  });

  test('the compiler makes a reader handle it', async () => {
    const read = (event: ReadEventOf<Pick<typeof kinds, 'Corrected'>>): string => {
      // @ts-expect-error the person may have been forgotten
      const unguarded = event.data.after.name;
      return isForgotten(event.data.after) ? '(forgotten)' : (unguarded ?? event.data.after.name);
    };
    expect(read({ type: 'Corrected', data: { studentId: anna, before: forgotten, after: forgotten } })).toBe('(forgotten)');
    expect(read({ type: 'Corrected', data: { studentId: anna, before: forgotten, after: { name: 'Anna' } } })).toBe('Anna');
  });

  test('a missing key is not a forgotten one', async () => {
    const { encode } = setUp();
    const texts = recorded(await encode(school, [admitted], idsFor([1]), metadata()));
    await expect(setUp().decode(texts, none)).rejects.toThrow(KeyMissing);
  });
});

describe('a ciphertext stays where it was sealed', () => {
  const corrected = { type: 'Corrected', data: { studentId: anna, before: { name: 'Ana' }, after: { name: 'Anna' } } } as const;

  test.each<[string, (data: Record<string, unknown>) => unknown]>([
    ['another field of the same person', ({ studentId, before, after }) => ({ studentId, before: after, after: before })],
    ['another person', ({ before, after }) => ({ studentId: ben, before, after })],
    ['nothing that was sealed', (data) => ({ ...data, after: { name: 'Eve' } })],
  ])('moved to %s it breaks', async (_, change) => {
    const { encode, decode } = setUp();
    const events = [corrected, admitted];
    const [text, other] = recorded(await encode(school, events, idsFor(events), metadata()));
    const moved = { ...text!, data: JSON.stringify(change(JSON.parse(text!.data) as Record<string, unknown>)) };
    await expect(decode([moved, other!], none)).rejects.toThrow(SealBroken);
  });

  test('moved to another event it breaks', async () => {
    const { encode, decode } = setUp();
    const [text] = recorded(await encode(school, [corrected], idsFor([1]), metadata()));
    await expect(decode([{ ...text!, id: uuid('another') }], none)).rejects.toThrow(SealBroken);
  });
});

describe('versions', () => {
  const first = z.strictObject({ studentId: id, person: sealed('studentId', z.strictObject({ name: z.string() })) });
  const second = z.strictObject({ studentId: id, called: sealed('studentId', z.strictObject({ full: z.string() })) });
  const third = z.strictObject({ studentId: id, called: sealed('studentId', z.strictObject({ full: z.string() })), seen: z.boolean() });
  const toSecond = upcaster(first, second, ({ studentId, person }) => ({
    studentId,
    called: isForgotten(person) ? person : { full: person.name },
  }));
  const toThird = upcaster(second, third, (data) => ({ ...data, seen: false }));
  const versions: EventType[] = [event(1, first), event(2, second, { 1: toSecond }), event(3, third, { 1: toSecond, 2: toThird })];
  const at = (version: number, keys: ReturnType<typeof keysInMemory>) => {
    const Met = versions[version - 1]!;
    return codec<EventTypes>({ registry: { Met }, keys });
  };
  const written = async (version: number, data: unknown, keys: ReturnType<typeof keysInMemory>) =>
    recorded(await at(version, keys).encode(school, [{ type: 'Met', data }], idsFor([1]), metadata()));

  test.each([
    [1, { studentId: anna, person: { name: 'Anna' } }],
    [2, { studentId: anna, called: { full: 'Anna' } }],
  ])('version %i reads as today’s', async (version, data) => {
    const keys = keysInMemory();
    const texts = await written(version, data, keys);
    expect((await at(3, keys).decode(texts, none))[0]!.data).toEqual({ studentId: anna, called: { full: 'Anna' }, seen: false });
    await keys.forget(anna);
    expect((await at(3, keys).decode(texts, none))[0]!.data).toEqual({ studentId: anna, called: forgotten, seen: false });
  });

  test('a version of the future is refused, not guessed', async () => {
    const keys = keysInMemory();
    const texts = await written(3, { studentId: anna, called: { full: 'Anna' }, seen: true }, keys);
    await expect(at(2, keys).decode(texts, none)).rejects.toThrow(
      new UnknownEventVersion('Met', 3, 2, ` (event ${texts[0]!.id}, ${texts[0]!.stream}, revision 0)`),
    );
  });

  test('an unknown type is refused', async () => {
    const { encode } = setUp();
    const texts = recorded(await encode(school, [renamed], idsFor([1]), metadata()));
    await expect(codec({ registry: {}, keys: keysInMemory() }).decode(texts, none)).rejects.toThrow(UnknownEventType);
  });

  test('a chain with a gap cannot be declared', () => {
    expect(() => event(3, third, { 1: toSecond })).toThrow('from version 2 is missing');
    expect(() => event(3, third, { 1: toSecond, 3: toThird })).toThrow('from version 2 is missing');
    expect(() => event(3, third, { 1: upcaster(first, first, (data) => data), 2: toThird })).toThrow('does not lead to version 2');
  });
});

describe('a registry', () => {
  test('takes each name once', () => {
    expect(() => registry(kinds, { Renamed: kinds.Renamed })).toThrow('two stream kinds have an event Renamed');
  });

  test('tells a kind’s events from others', async () => {
    const { encode, decode } = setUp();
    const events = [admitted, renamed];
    const read = await decode(recorded(await encode(school, events, idsFor(events), metadata())), none);
    const names = read.filter(among({ Renamed: kinds.Renamed })).map(({ data }) => data.name);
    expect(names).toEqual(['Maths']);
  });

  const inner = z.strictObject({ text: z.string() });
  test.each<[string, () => z.ZodType, RegExp]>([
    ['a personal part whose person is not beside it', () => z.object({ person: sealed('studentId', inner) }), /not beside it/],
    ['a personal part in a personal part', () => z.object({ a: sealedByAuthor(z.object({ b: sealedByAuthor(inner) })) }), /as a whole/],
    ['a personal part outside an object', () => z.array(sealedByAuthor(inner)), /must be a field/],
    [
      'a field that is personal in one variant only',
      () => z.union([z.object({ a: sealedByAuthor(inner) }), z.object({ a: inner, b: id })]),
      /otherwise in another/,
    ],
    ['what JSON cannot hold', () => z.object({ at: z.date() }), /cannot use date/],
    ['anything at all', () => z.object({ a: z.unknown() }), /cannot use unknown/],
  ])('refuses %s', (_, schema, message) => {
    expect(() => codec({ registry: { Odd: event(1, schema()) }, keys: keysInMemory() })).toThrow(message);
  });

  test('a personal part stays personal when its schema is refined, described or made optional', async () => {
    const part = sealedByAuthor(inner)
      .refine(() => true)
      .describe('why')
      .optional();
    const { encode } = codec({ registry: { Odd: event(1, z.object({ reason: part })) }, keys: keysInMemory() });
    const [text] = await encode(school, [{ type: 'Odd', data: { reason: { text: 'secret' } } }], idsFor([1]), metadata());
    expect(text!.data).not.toContain('secret');
  });
});
