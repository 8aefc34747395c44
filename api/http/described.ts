import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { validated } from '../pipeline/problems.ts';
import type { OtherAnswer } from './answers.ts';
import { bodyOf } from './request.ts';

/** What programs are told of a route that is neither a command nor a query nor a resource. */
export type Description = {
  /** What it is for, in a sentence. */
  readonly does: string;
  /** Left out: nobody need be signed in. */
  readonly for?: string;
  /** The body. */
  readonly takes?: z.ZodType;
  /** What stands in the address, behind its question mark. */
  readonly asks?: z.ZodType;
  /** Left out: X-View-As means nothing here. */
  readonly throughEyes?: true;
  /** JSON of this shape, or `redirect`, or something that is no JSON. */
  readonly answers: OtherAnswer | 'redirect' | 'events' | 'figures';
};

/** Whoever is signed in. */
export const EVERYBODY = 'everybody who is signed in';

const descriptions = new WeakMap<object, Description>();

/** Stands before a route's handler and says what it is; it does nothing. A route without one is not in the description: a test finds it. */
export const described = (description: Description): MiddlewareHandler => {
  const pass: MiddlewareHandler = (_c, next) => next();
  descriptions.set(pass, description);
  return pass;
};

/** Adds routes that take JSON, held to the schema that describes them. `body` reads it: who asks may have to be known first. */
export const taking =
  (http: Hono) =>
  <Schema extends z.ZodType>(
    path: string,
    description: Description & { readonly takes: Schema },
    answer: (c: Context, body: () => Promise<z.output<Schema>>) => Promise<Response>,
  ): void => {
    http.post(path, described(description), (c) => answer(c, async () => validated(description.takes, await bodyOf(c))));
  };

export type DescribedRoute = { readonly method: string; readonly path: string; readonly description: Description };

/** Those of the routes that are described, each with what is said of it. */
export const describedRoutes = ({ routes }: Pick<Hono, 'routes'>): DescribedRoute[] =>
  routes.flatMap(({ method, path, handler }) => {
    const description = descriptions.get(handler);
    return description ? [{ method: method.toLowerCase(), path, description }] : [];
  });
