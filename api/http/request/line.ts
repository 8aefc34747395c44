import { isUuid } from '../../../events/uuid.ts';
import type { Actor } from '../../actor.ts';

/** The id that a page has given its live line. Only its own account can name it. */
export const lineIn = (id: string | undefined, { accountId }: Actor): string | undefined =>
  id !== undefined && isUuid(id) ? `${accountId} ${id}` : undefined;
