import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { label } from '../fields.ts';

/** Storage contract of `school-{schoolId}`. As in every stream, names and shapes are permanent: a new meaning needs a new type. */
const text = z.string().max(200);
const reportWords = z.strictObject({
  /** At the foot of each page. */
  foot: text,
  /** Under the heading of a revision list. */
  sentence: text,
  /** Whether students are set beside others. */
  comparisons: z.boolean(),
});
type ReportWords = z.infer<typeof reportWords>;

export const schoolEvents = {
  SchoolOpened: event(1, z.strictObject({ name: label })),
  SchoolRenamed: event(1, z.strictObject({ name: label })),
  /** Leaders may change the structure of their own subjects from now on; otherwise only admins may. */
  SchoolStructureOpened: event(1, z.strictObject({})),
  SchoolStructureClosed: event(1, z.strictObject({})),
  /** Students see their rank, score and grade of complete tasks on their home from now on, or no longer. */
  SchoolResultsShown: event(1, z.strictObject({})),
  SchoolResultsHidden: event(1, z.strictObject({})),
  /** What the school prints on its reports; an empty text: the usual one. */
  SchoolReportWordsChanged: event(1, reportWords),
};

export type SchoolEvent = EventOf<typeof schoolEvents>;
/** `structureOpen`: leaders may change the structure of their own subjects. `resultsShown`: students see what came of complete tasks. */
export type School =
  | { status: 'none' }
  | { status: 'open'; name: string; structureOpen: boolean; resultsShown: boolean; reportWords?: ReportWords };

export const school: Aggregate<School, SchoolEvent> = {
  category: 'school',
  initial: () => ({ status: 'none' }),
  evolve: (state, event) => {
    const before = state.status === 'open' ? state : { status: 'open' as const, name: '', structureOpen: false, resultsShown: false };
    switch (event.type) {
      case 'SchoolOpened':
      case 'SchoolRenamed':
        return { ...before, name: event.data.name };
      case 'SchoolStructureOpened':
      case 'SchoolStructureClosed':
        return { ...before, structureOpen: event.type === 'SchoolStructureOpened' };
      case 'SchoolResultsShown':
      case 'SchoolResultsHidden':
        return { ...before, resultsShown: event.type === 'SchoolResultsShown' };
      case 'SchoolReportWordsChanged':
        return { ...before, reportWords: event.data };
    }
  },
};
