import type { Row } from '../matrix/row.ts';
import { accountsCases } from './accounts.ts';
import { adminCases } from './admin.ts';
import type { Cases } from './case.ts';
import { leaderCases } from './leader.ts';
import { studentCases } from './student.ts';
import { teacherCases } from './teacher.ts';
import { topicsCases } from './topics.ts';

export const cases: Cases = { ...accountsCases, ...adminCases, ...topicsCases, ...leaderCases, ...teacherCases, ...studentCases };

/** The row of each address, as /api/openapi.json has it: `GET /admin/1` is `GET /api/admin/1`. Of a generic write, that of its first table. */
export const callRows: ReadonlyMap<string, Row> = Object.entries(cases).reduce((rows, [name, row]) => {
  const [method = '', path = ''] = name.split(' ');
  const route = `${method} /api${path}`;
  return rows.has(route) ? rows : rows.set(route, row);
}, new Map<string, Row>());

/** The rows of the other tables of generic writes, `PUT /api/leader/{id} FeedbackMaps`: their address has one row only. */
export const tableRows: ReadonlyMap<string, Row> = new Map(
  Object.entries(cases).flatMap(([name, row]) => {
    const [method = '', path = '', table] = name.split(' ');
    return table === undefined || callRows.get(`${method} /api${path}`) === row ? [] : [[`${method} /api${path} ${table}`, row] as const];
  }),
);
