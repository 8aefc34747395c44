import type { UpTo } from '../../pipeline/query-bus.ts';

/** The headers that name the last event in the state shown. */
export const asOfHeaders = (upTo: UpTo | undefined): Readonly<Record<string, string>> =>
  upTo === undefined ? { 'X-As-Of-Event': 'none' } : { 'X-As-Of-Event': upTo.eventId, 'X-As-Of-Time': upTo.at };
