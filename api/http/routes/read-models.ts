import { Hono } from 'hono';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { readsWholeSchool } from '../../actor.ts';
import type { Sessions } from '../../auth/log-in/sessions.ts';
import { ProblemError } from '../../common/problems.ts';
import { readModels, rebuildAsked } from '../../contract/read-models.ts';
import type { ReadModels } from '../../history/read-models.ts';
import { getJson, postJsonAs } from '../openapi/route-docs.ts';
import { signedIn } from '../request/request.ts';

export type ReadModelOptions = { readonly sessions: Sessions; readonly readModels: ReadModels };

/**
 * `/api/read-models`. No queries and commands: they are about the engine's own tables, which readers of a school cannot see, and change
 * nothing that the log knows of.
 */
export const readModelRoutes = ({ sessions, readModels: models }: ReadModelOptions): Hono => {
  const http = new Hono();
  const examiner = async (c: Context): Promise<Actor> => {
    const actor = await signedIn(sessions, c);
    if (!readsWholeSchool(actor)) throw new ProblemError('forbidden', 'Your account may not see this.');
    c.header('Cache-Control', 'no-store');
    return actor;
  };
  const who = 'admin and auditor';
  getJson(http)('/', { does: 'The read models and the last comparison of the school.', for: who, answers: readModels }, async (c) =>
    models.show(await examiner(c)),
  );
  const post = postJsonAs(http, async (c) => ({ actor: await examiner(c) }));
  const comparing = {
    does: 'Begins to compare the read models with a fold of the events of the school.',
    for: who,
    takes: z.strictObject({}),
    answers: readModels,
  };
  post('/compare', comparing, async (_c, _body, { actor }) => {
    await models.compare(actor);
    return models.show(actor);
  });
  const rebuilding = {
    does: 'Begins to rebuild a read model, for all schools.',
    for: 'admin where there is one school, and whom READ_MODEL_ADMINS names',
    takes: rebuildAsked,
    answers: readModels,
  };
  post('/rebuild', rebuilding, async (_c, { name }, { actor }) => {
    await models.rebuild(actor, name);
    return models.show(actor);
  });
  return http;
};
