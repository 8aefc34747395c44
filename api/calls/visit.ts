import { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Answer } from '../contract/answer.ts';
import type { ErrorReport, Reported } from '../contract/errors.ts';
import type { AccountServices } from './account-services.ts';
import type { Call, noParameters } from './call.ts';

export const OWN_PAGE = 'It must come from a page of Marktrail or with a bearer token: a picture or link on any page would send it too.';
export const message = z.object({ message: z.string() });

/** A request by whoever may not be signed in, or about their own session. What is sent is read when it is asked for: others are refused first. */
export type Visit<Asks, Takes> = {
  readonly services: AccountServices;
  readonly id: string;
  readonly from: { readonly address: string; readonly browser: string | undefined };
  readonly cookie: string;
  readonly isByToken: boolean;
  /** Aborted when whoever waits for the answer has gone. */
  readonly gone: AbortSignal;
  readonly asks: () => Asks;
  readonly takes: () => Promise<Takes>;
  /** Who is signed in, and by which session. @throws ProblemError `not-authenticated` */
  readonly own: () => Promise<Own>;
  /** The body of somebody signed in, of which they are asked before it is read and after. */
  readonly ownTakes: () => Promise<Own & { readonly takes: Takes }>;
  readonly setCookie: (cookie: string) => void;
  /** Stores a report made of the body. */
  readonly report: (reportOf: (sent: Takes) => ErrorReport) => Promise<Reported>;
};
type Own = { readonly actor: Actor; readonly session: string };

/** A call that answers a visit. */
export const doorCall = <Shape extends z.ZodType, Asks extends z.ZodObject = typeof noParameters, Takes extends z.ZodType = z.ZodUndefined>(
  row: Omit<Call, 'asks' | 'takes' | 'answers' | 'viewed' | 'adapt' | 'answer'> & {
    readonly asks?: Asks;
    readonly takes?: Takes;
    readonly answers: Shape;
    readonly answer: (visit: Visit<z.output<Asks>, z.output<Takes>>) => Promise<Extract<Answer<Shape>, object> | Response>;
  },
): Call => row;
