import type { Context, Hono, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { Largest } from '../../common/body-size.ts';
import { validated } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import type { Sender } from '../body.ts';
import { bodyOf } from '../body.ts';

/** The documentation of a route that is not a command, query or resource. */
export type Description = {
  /** What it is for, in a sentence. */
  readonly does: string;
  /** Who may use it; left out: public. */
  readonly for?: string;
  /** The body. */
  readonly takes?: z.ZodType;
  /** How much staff may send: `upload` where it takes a row for each student or mark. */
  readonly largest?: Largest;
  /** The query parameters. */
  readonly asks?: z.ZodType;
  /** Whether it respects X-View-As. */
  readonly viewAs?: true;
  /** JSON of this shape, `redirect`, or something other than JSON: the events of /api/live, figures for Prometheus, a file. */
  readonly answers: z.ZodType | 'redirect' | 'events' | 'figures' | 'file';
};

/** JSON of any shape. */
export const anyJson = z.record(z.string(), z.unknown());

export const EVERYBODY = 'everybody who is signed in';

const descriptions = new WeakMap<object, Description>();

/** Middleware that only documents its route. A test finds routes without it. */
export const described = (description: Description): MiddlewareHandler => {
  const pass: MiddlewareHandler = (_c, next) => next();
  descriptions.set(pass, description);
  return pass;
};

type Answering<Shape extends z.ZodType> = Description & { readonly answers: Shape };

/** Adds routes that answer JSON of the shape in their description. */
export const getJson =
  (http: Hono) =>
  <Shape extends z.ZodType>(path: string, description: Answering<Shape>, answer: (c: Context) => Promise<Answer<Shape>>): void => {
    http.get(path, described(description), async (c) => inJson(c, await answer(c)));
  };

type Taking<Body extends z.ZodType, Shape extends z.ZodType> = Answering<Shape> & { readonly takes: Body };

/**
 * Adds routes that take JSON, validated by the schema in their description, and answer JSON. `body` reads it, after the request has been
 * counted. For routes of signed-in users: `postJsonAs`.
 */
export const postJson =
  (http: Hono) =>
  <Body extends z.ZodType, Shape extends z.ZodType>(
    path: string,
    description: Taking<Body, Shape>,
    answer: (c: Context, body: (sender?: Sender) => Promise<z.output<Body>>) => Promise<Answer<Shape>>,
  ): void => {
    http.post(path, described(description), async (c) =>
      inJson(c, await answer(c, async (sender = {}) => validated(description.takes, await bodyOf(c, sender)))),
    );
  };

/**
 * The same for signed-in users, whom `identify` finds: before the body is read, so that nobody sends what they may not, and again after it,
 * because a body may take minutes in which they lose the right to send it.
 */
export const postJsonAs =
  <Known extends { readonly actor: Actor }>(http: Hono, identify: (c: Context) => Promise<Known>) =>
  <Body extends z.ZodType, Shape extends z.ZodType>(
    path: string,
    description: Taking<Body, Shape>,
    answer: (c: Context, body: z.output<Body>, caller: Known) => Promise<Answer<Shape>>,
  ): void => {
    http.post(path, described(description), async (c) => {
      const { actor } = await identify(c);
      const body = validated(description.takes, await bodyOf(c, { actor, largest: description.largest }));
      return inJson(c, await answer(c, body, await identify(c)));
    });
  };

const inJson = (c: Context, content: unknown): Response => c.body(JSON.stringify(content), 200, { 'Content-Type': 'application/json' });

export type DescribedRoute = { readonly method: string; readonly path: string; readonly description: Description };

/** The documented routes with their descriptions. */
export const describedRoutes = ({ routes }: Pick<Hono, 'routes'>): DescribedRoute[] =>
  routes.flatMap(({ method, path, handler }) => {
    const description = descriptions.get(handler);
    return description ? [{ method: method.toLowerCase(), path, description }] : [];
  });
