import type { ApiRefusal } from '../../../ui/api/failure.ts';
import { isRefused } from '../../../ui/api/failure.ts';

/** Whether a step has used up the joining, so that the code must be entered again. Too many at once, or a server that starts, leave the way open. */
export const endsJoining = (error: unknown): error is ApiRefusal => isRefused(error, 'invalid-input', 'refused', 'joined-already');
