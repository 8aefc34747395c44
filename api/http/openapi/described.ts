import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { validated } from '../../pipeline/problems.ts';
import type { OtherAnswer } from './answers.ts';
import { bodyOf } from '../request/request.ts';

/** The documentation of a route that is not a command, query or resource. */
export type Description = {
  /** What it is for, in a sentence. */
  readonly does: string;
  /** Who may use it; left out: public. */
  readonly for?: string;
  /** The body. */
  readonly takes?: z.ZodType;
  /** The query parameters. */
  readonly asks?: z.ZodType;
  /** Whether it respects X-View-As. */
  readonly throughEyes?: true;
  /** JSON of this shape, `redirect`, or something other than JSON. */
  readonly answers: OtherAnswer | 'redirect' | 'events' | 'figures';
};

export const EVERYBODY = 'everybody who is signed in';

const descriptions = new WeakMap<object, Description>();

/** Middleware that only documents its route. A test finds routes without it. */
export const described = (description: Description): MiddlewareHandler => {
  const pass: MiddlewareHandler = (_c, next) => next();
  descriptions.set(pass, description);
  return pass;
};

/**
 * Adds routes that take JSON, validated by the schema in their description. `body` reads it, because the user may have to be known first.
 */
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

/** The documented routes with their descriptions. */
export const describedRoutes = ({ routes }: Pick<Hono, 'routes'>): DescribedRoute[] =>
  routes.flatMap(({ method, path, handler }) => {
    const description = descriptions.get(handler);
    return description ? [{ method: method.toLowerCase(), path, description }] : [];
  });
