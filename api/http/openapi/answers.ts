import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { AnsweredByAccounts } from '../../auth/identity/accounts.ts';
import type { AnswerOf } from '../../common/command.ts';
import type { CommandName, commands } from '../../commands.ts';
import type {
  Done,
  Invited,
  JoinChoices,
  JoinCode,
  JoinSchool,
  Profile,
  RecoveryCodes,
  Sessions,
  SignedIn,
  Site,
  TwoStepStarted,
  Unlocked,
  Verified,
} from '../../contract/door.ts';
import type { LoggedErrors, Reported, Status } from '../../contract/errors.ts';
import type { LiveChange, LiveHello } from '../../contract/live.ts';
import type { SecurityEntries } from '../../contract/security.ts';
import type { QueryName, queries } from '../../queries.ts';
import type { JsonText } from '../../common/query.ts';
import type { Health } from '../routes/health.ts';

/**
 * The types of all responses. `answers.json` has their JSON Schema, generated from this type by the compiler:
 * `WRITE_ANSWERS=1 npm test -- tests/http/answers.test.ts`; without the variable the test reports differences.
 */
export type Answers = {
  readonly commands: {
    readonly [Name in CommandName]: Name extends keyof AnsweredByAccounts ? AnsweredByAccounts[Name] : AnswerOf<(typeof commands)[Name]>;
  };
  readonly queries: { readonly [Name in QueryName]: ShapeOf<AnswerOf<(typeof queries)[Name]>> };
  readonly others: {
    readonly done: Done;
    readonly errors: LoggedErrors;
    readonly health: Health;
    readonly invited: Invited;
    readonly joinChoices: JoinChoices;
    readonly joinCode: JoinCode;
    readonly joinSchool: JoinSchool;
    readonly liveChange: LiveChange;
    readonly liveHello: LiveHello;
    readonly nothing: Readonly<Record<string, never>>;
    readonly alive: { readonly status: 'ok' };
    readonly profile: Profile;
    readonly recoveryCodes: RecoveryCodes;
    readonly reported: Reported;
    readonly securityEntries: SecurityEntries;
    readonly sessions: Sessions;
    readonly signedIn: SignedIn;
    readonly site: Site;
    readonly status: Status;
    readonly twoStepStarted: TwoStepStarted;
    readonly unlocked: Unlocked;
    readonly verified: Verified;
    /** Of any shape. */
    readonly some: Readonly<Record<string, unknown>>;
  };
};

export type OtherAnswer = keyof Answers['others'];

type ShapeOf<Answer> = Answer extends JsonText<infer Shape> ? Shape : Answer;

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

const schemas = z.record(z.string(), z.record(z.string(), z.unknown()));
const file = z.object({ commands: schemas, queries: schemas, others: schemas });

export const answersFile = new URL('answers.json', import.meta.url);

/** The schemas of the responses, by name. */
export const answerSchemas = (): { readonly [Kind in keyof Answers]: Readonly<Record<keyof Answers[Kind], Schema>> } =>
  // A test checks that every name is there.
  file.parse(JSON.parse(readFileSync(answersFile, 'utf8'))) as ReturnType<typeof answerSchemas>;
