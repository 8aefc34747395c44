import { Hono } from 'hono';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { Sessions } from '../../auth/log-in/sessions.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { dropSchoolYear, keepSchoolYear, keptSchoolYear } from '../../school/school-year/school-year.contract.ts';
import type { SchoolYears } from '../../school/school-year/school-years.ts';
import { getJson, postJsonAs } from '../openapi/route-docs.ts';
import { signedIn } from '../request/request.ts';

export type SchoolYearOptions = { readonly sessions: Sessions; readonly schoolYears: SchoolYears };

/** `/api/school-years`: plans that wait for their day. No queries and commands: what is only planned has not happened, and the log does not know of it. */
export const schoolYearRoutes = ({ sessions, schoolYears }: SchoolYearOptions): Hono => {
  const http = new Hono();
  const admin = async (c: Context): Promise<Actor> => {
    const actor = await signedIn(sessions, c);
    if (actor.role !== 'admin') throw new ProblemError('forbidden', 'Your account may not do this.');
    c.header('Cache-Control', 'no-store');
    return actor;
  };
  const common = { for: 'admin', answers: keptSchoolYear };
  const asked = z.object({ subjectId: id });
  getJson(http)('/', { does: 'The plan of the next school year of a subject.', asks: asked, ...common }, async (c) =>
    schoolYears.show(await admin(c), validated(asked, c.req.query()).subjectId),
  );
  const post = postJsonAs(http, async (c) => ({ actor: await admin(c) }));
  const keeping = {
    does: 'Keeps the plan until its day, on which it is carried out.',
    takes: keepSchoolYear,
    largest: 'upload',
    ...common,
  } as const;
  post('/keep', keeping, async (_c, { subjectId, plan, version }, { actor }) => schoolYears.keep(actor, subjectId, plan, version));
  const dropping = { does: 'Drops the plan.', takes: dropSchoolYear, ...common };
  post('/drop', dropping, async (_c, { subjectId, version }, { actor }) => schoolYears.drop(actor, subjectId, version));
  return http;
};
