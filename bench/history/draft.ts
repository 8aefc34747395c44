import { randomUUID } from 'node:crypto';
import type { MarktrailEvent } from '../../events/registry.ts';

/** An event before it is encoded: what happened, in which stream, and who did it. */
export type Draft = {
  readonly schoolId: string;
  readonly accountId: string;
  readonly stream: string;
  readonly event: MarktrailEvent;
  /** left out: any */
  readonly commandId?: string;
};

export const commandOf = ({ commandId = randomUUID() }: Draft): string => commandId;
