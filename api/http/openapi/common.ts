import { SESSION_COOKIE } from '../../auth/log-in/cookies.ts';
import { z } from 'zod';
import { commandAnswer } from '../../contract/live.ts';
import { RESPOND_ASYNC } from '../../contract/channels.ts';
import { problem, recordProblem } from '../../contract/problem.ts';
import { VIEW_AS_HEADER } from '../request/view-as.ts';
import { answerOf } from './schema.ts';

/** Components that many paths share. */

const header = (name: string, description: string, schema: object = { type: 'string' }): object => ({
  name,
  in: 'header',
  description,
  schema,
});

const POSITION = { type: 'string', pattern: '^\\d{1,19}$' };

const parameters = {
  'Idempotency-Key': header(
    'Idempotency-Key',
    'A request repeated with the same key gets the first answer again, and nothing is done twice. Without a key, what is sent twice is done twice.',
    { type: 'string', format: 'uuid' },
  ),
  'If-Match': header(
    'If-Match',
    'The `version` of the record as it was read, in quotes: if the record was changed meanwhile, the answer is 412. Left out, or *: whatever its version is.',
  ),
  'X-Min-Position': header(
    'X-Min-Position',
    'A position from an earlier answer: the response includes all changes up to it. Waits up to 2 seconds for them.',
    POSITION,
  ),
  [VIEW_AS_HEADER]: header(
    VIEW_AS_HEADER,
    'The role to view as: `leader`, `teacher` or `student`; a certain teacher or student with the id behind it. Rights do not change; as a student nothing can be changed.',
    { type: 'string', pattern: '^(leader|(teacher|student)( [0-9a-fA-F-]{36})?)$' },
  ),
  asOf: {
    name: 'asOf',
    in: 'query',
    description: 'An earlier moment, instead of now. For the roles that the query names; others are refused with 403.',
    schema: { type: 'string', format: 'date-time' },
  },
  Prefer: header(
    'Prefer',
    `With asOf: \`${RESPOND_ASYNC}\` to be answered 202 with how far it is while the moment is put together, and to ask again. Else the answer is waited for.`,
    { type: 'string', enum: [RESPOND_ASYNC] },
  ),
};

const headers = {
  'X-Position': { description: 'The position of the change in the log, to be sent as X-Min-Position.', schema: POSITION },
  'X-Read-Position': {
    description: 'The response includes all changes up to this position. Later ones in /api/live may be missing. Not with asOf.',
    schema: POSITION,
  },
  'X-Channels': {
    description: 'The channels of /api/live whose changes concern the response, separated by spaces; `*`: all. Not with asOf.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'The version of the response, if it has one: sent as If-None-Match with the next GET, it is answered 304 as long as it is the same.',
    schema: { type: 'string' },
  },
  'X-As-Of-Event': { description: 'With asOf: the last event that the response includes, or none.', schema: { type: 'string' } },
  'X-As-Of-Time': { description: 'With asOf: the time of that event.', schema: { type: 'string', format: 'date-time' } },
  'Content-Range': { description: 'The range and the total: `subjects 0-24/31`, `subjects */0`.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds until a retry makes sense.', schema: { type: 'integer' } },
};

const refused = (schema: string): object => ({
  description: 'Refused: the code says why',
  headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  content: { 'application/problem+json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

export const common = {
  schemas: {
    Problem: answerOf(problem),
    RecordProblem: answerOf(recordProblem),
    CommandAnswer: answerOf(commandAnswer(z.unknown())),
  },
  parameters,
  headers,
  responses: { Problem: refused('Problem'), RecordProblem: refused('RecordProblem') },
  securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE } },
} as const;

/** A reference to a shared component. */
export const ref = <Kind extends 'schemas' | 'parameters' | 'headers' | 'responses'>(
  kind: Kind,
  name: keyof (typeof common)[Kind] & string,
): { readonly $ref: string } => ({ $ref: `#/components/${kind}/${name}` });

export const problems = { default: ref('responses', 'Problem') };
