import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { CommandName } from '../commands/all.ts';

/** What a field holds, as far as one may filter and sort by it. Of a `uuid[]` a filter finds the records that have one of its values. */
export type Kind = 'uuid' | 'uuid[]' | 'text' | 'int4' | 'bool' | 'date' | 'timestamptz';

/** A record as the dialect shows and takes it: JSON. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * A resource of the ra-data-simple-rest dialect: a list over the read models, of which each write is a command.
 *
 *     export const subjects = resource({
 *       models: ['structure'],
 *       from: `select s.subject_id as id, s.name from subjects s where s.school_id = $1`,
 *       columns: { name: 'text' },
 *       search: ['name'],
 *       sort: 'name',
 *       create: { command: 'AddSubject', body: ({ name }) => ({ name }), id: 'subjectId' },
 *       update: { command: 'RenameSubject', body: ({ name }, { id }) => ({ subjectId: id, name }) },
 *     });
 *
 * api/access.ts defines who may read it; writes have the rules of their commands.
 */
export type Resource = {
  /** The read models behind it: a request with X-Min-Position waits for them, and so does every write. */
  readonly models: readonly string[];
  /** Those that its writes wait for, where others only give a record its names. */
  readonly written?: readonly string[];
  /** Selects a row per record, with `id` and the fields by the names that the record has. `$1` is the school. */
  readonly from: string;
  /** The fields that one may filter and sort by, beside `id`; the select may show more. */
  readonly columns: Readonly<Record<string, Kind>>;
  /** The text fields in which `filter={"q": "two words"}` looks for each of its words. */
  readonly search?: readonly string[];
  /** Sorted by this field if nothing else is asked for. */
  readonly sort: string;
  /** The field that holds the record's subject: where access is `within: 'subject'`, others' records are not there. */
  readonly subject?: string;
  /** The fields that a form changes. They make the record's `version`, which a PUT sends as If-Match: a record that somebody else has changed meanwhile answers 412. */
  readonly edited?: readonly string[];
  readonly create?: {
    readonly command: CommandName;
    readonly body: (sent: Values, actor: Actor) => Values;
    /** What is sent, where it is not what the command takes. */
    readonly sent?: z.ZodType;
    /** What the command's result calls the id of what it made. */
    readonly id: string;
  };
  /** `before`: the record as it is. */
  readonly update?: { readonly command: CommandName; readonly body: (sent: Values, before: Values) => Values };
  readonly remove?: { readonly command: CommandName; readonly body: (before: Values) => Values };
};

export const resource = (definition: Resource): Resource => definition;
