import { hostility } from './hostile.ts';

const { readBodiesAlike, standFirm } = await hostility();

/** One of each kind: tests/long/matrix has all of them. */
standFirm([
  'POST /api/commands/EnterMarks',
  'POST /api/commands/UploadTotals',
  'GET /api/queries/markbook',
  'POST /api/queries/markbook',
  'GET /api/rest/sets',
  'PUT /api/rest/sets/{id}',
  'GET /api/teacher/1',
  'PUT /api/teacher/{id}',
  'GET /api/admin/1',
  'POST /api/door/join/name',
  'POST /api/errors',
  'POST /api/identity/sign-in/email',
  'GET /api/live',
]);

readBodiesAlike();
