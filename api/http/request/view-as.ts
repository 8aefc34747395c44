import type { Context } from 'hono';
import { UUID_TEXT } from '../../../events/uuid.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { ViewAs } from '../../pipeline/view-as.ts';
import type { Check } from './middleware.ts';
import { isRead } from './request.ts';

/**
 * `X-View-As: leader`, `teacher`, `teacher <id of the teacher>`, `student` or `student <id of the student>`: sent with every request of a
 * page that is viewed this way.
 */
export const VIEW_AS_HEADER = 'X-View-As';

/** What may be sent while viewing as a student: queries, logging out, error reports. */
const HARMLESS = /^\/api\/(queries\/|identity\/sign-out$|errors$)/;

/** While viewing as a student nothing can be changed. */
export const readOnlyAsStudent: Check = (c) => {
  if (!isRead(c) && viewAsIn(c)?.role === 'student' && !HARMLESS.test(c.req.path))
    throw new ProblemError('view-only', authMessages.viewOnly);
};

/** Who a request says it is viewed as. @throws ProblemError `invalid-input` */
export const viewAsIn = (c: Context): ViewAs | undefined => {
  const text = c.req.header(VIEW_AS_HEADER);
  if (text === undefined) return undefined;
  const [, name, id] = ROLE_AND_ID.exec(text.trim()) ?? [];
  const role = (['leader', 'teacher', 'student'] as const).find((one) => one === name?.toLowerCase());
  if (role === undefined || (id !== undefined && role === 'leader'))
    throw new ProblemError('invalid-input', `${VIEW_AS_HEADER} must be leader, teacher or student, the last two also with the id of one.`);
  return { role, ...(id === undefined ? {} : { id: id.toLowerCase() }) };
};

const ROLE_AND_ID = new RegExp(`^(leader|teacher|student)(?: (${UUID_TEXT}))?$`, 'i');
