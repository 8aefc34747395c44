import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Declared, Model } from './models.ts';

/** The type of a field that one can filter and sort by. For a `uuid[]` a filter finds the records that have one of its values. */
export type Kind = 'uuid' | 'uuid[]' | 'text' | 'int4' | 'bool' | 'date' | 'timestamptz';

/** A record as JSON. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * A resource of the ra-data-simple-rest dialect: a list over the read models; each write is a command.
 *
 *     export const subjects = resource({
 *       record: structureRecords.subjects,
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
export type Resource<CommandName extends string = string> = Declared & {
  /** What is answered for each record. */
  readonly record: z.ZodType;
  /** The read models that its writes wait for, if not all in `models`: others may only provide names. */
  readonly written?: readonly Model[];
  /** Selects a row per record, with `id` and the fields as named in the record. `$1` is the school. */
  readonly from: string;
  /** The fields that one can filter and sort by, besides `id`; the select may have more. */
  readonly columns: Readonly<Record<string, Kind>>;
  /** The text fields that `filter={"q": "two words"}` searches for each word. */
  readonly search?: readonly string[];
  /** The default sort field. */
  readonly sort: string;
  /** The field with the record's subject: if access is `within: 'subject'`, records of other subjects are hidden. */
  readonly subject?: string;
  /**
   * The fields that a form changes. They determine the record's `version`, which a PUT sends as If-Match: 412 if somebody else has changed
   * it since.
   */
  readonly edited?: readonly string[];
  readonly create?: {
    readonly command: CommandName;
    readonly body: (sent: Values, actor: Actor) => Values;
    /** The schema of the body, if it differs from the command's input. */
    readonly sent?: z.ZodType;
    /** The field of the command's result that has the new id. */
    readonly id: string;
  };
  /** `before`: the current record. */
  readonly update?: { readonly command: CommandName; readonly body: (sent: Values, before: Values) => Values };
  readonly remove?: { readonly command: CommandName; readonly body: (before: Values) => Values };
};

export const resource = <const Definition extends Resource>(definition: Definition): Definition => definition;
