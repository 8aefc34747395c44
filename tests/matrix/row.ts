import { randomUUID } from 'node:crypto';
import type { CommandName } from '../../api/commands.ts';
import type { Client } from '../support/client.ts';
import type { ActorName, World } from './world.ts';

/** Who may send a request to an address. See rows.ts. */
export type Row = {
  readonly may: readonly ActorName[];
  /** A legal request. */
  readonly ask: (world: World) => Asked | Promise<Asked>;
  /** What those who may are answered; 200 if left out. */
  readonly status?: number;
  /** Leaders too, in their own subjects, if the school has opened its structure to them. */
  readonly ifOpen?: true;
  /** Others are answered 200 with a list of what was refused: the cells of a save are decided one by one. */
  readonly listsRefused?: true;
  /** A teacher may ask the same about another class of the year group. */
  readonly readsYearGroup?: true;
  /** It ends or changes the user's session. */
  readonly anew?: true;
  /** What must have happened in the same session. */
  readonly before?: (client: Client) => Promise<unknown>;
  /** The body is not read. */
  readonly takesNoBody?: true;
  /** Fields that it does not know are passed over: an editor sends the whole record back. */
  readonly ignoresMore?: true;
  /** Texts that no database holds are mended rather than refused. */
  readonly takesAnyText?: true;
  /** The answer goes on for ever. */
  readonly streams?: true;
};
export type Asked = { readonly id?: string; readonly query?: Readonly<Record<string, string>>; readonly body?: unknown };

export const fresh = (): string => randomUUID().slice(0, 18);

/** No subject has two of a year; the others of Mathematics are below 12, or above 19. */
export const nextYear = (): number => years.next().value ?? 0;
const years = [12, 13, 14, 15, 16, 17, 18, 19].values();

export type Rule = Omit<Row, 'ask'>;

/** An address of the product's own, and a legal request; left out: one without anything. */
export const ours = (path: string, rule: Rule, asked: Row['ask'] = () => ({})): Record<string, Row> => ({
  [path]: { ...rule, ask: asked },
});
export const body = (sent: unknown) => (): Asked => ({ body: sent });

/** A resource: who may read and write it, a record of it, and a legal request for each of its writes. */
type Writes = {
  readonly create?: (world: World) => object;
  readonly update?: [id: Id, body: (world: World) => object];
  readonly remove?: Id;
};
type Id = (world: World) => string;
export type Listed = Rule &
  Writes & {
    /** and to remove */
    readonly isAdminsToMake?: true;
    readonly id: Id;
    readonly given?: readonly [CommandName, (world: World) => object];
  };
