import { NO_CHANGES } from '../support/samples.ts';
import { admins, examiners } from './actors.ts';
import type { Row } from './row.ts';
import { body, fresh, ours } from './row.ts';

/** What the log does not know of: how the installation is, and plans. */
export const ofOperations: Readonly<Record<string, Row>> = {
  ...ours('GET /api/status', { may: ['admin', 'neighbour'] }),
  ...ours('GET /api/security-log', { may: ['admin', 'neighbour'] }),
  ...ours('GET /api/read-models', { may: [...examiners, 'neighbour'] }),
  ...ours('POST /api/read-models/compare', { may: [...examiners, 'neighbour'] }, ({ school }) =>
    school.backend.readModels.settled().then(() => ({ body: {} })),
  ),
  // There are two schools; read-models.test.ts rebuilds as whom the operator has named.
  ...ours('POST /api/read-models/rebuild', { may: [] }, body({ name: 'roster' })),

  ...ours('GET /api/school-years', { may: admins }, ({ school }) => ({ query: { subjectId: school.ids.maths } })),
  ...ours('POST /api/school-years/keep', { may: admins }, async ({ school }) => {
    const subjectId = (await (await school.as('admin')).done('AddSubject', { name: fresh() }))['subjectId'];
    return { body: { subjectId, plan: { ...NO_CHANGES, day: '2099-09-01' }, version: null } };
  }),
  // None is kept; school-year.test.ts drops one.
  ...ours('POST /api/school-years/drop', { may: admins, status: 412 }, ({ school }) => ({
    body: { subjectId: school.ids.maths, version: 1 },
  })),
};
