import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id, label } from '../fields.ts';

/** The best grade first; `percent` of the ranked students get it. */
export const gradeShares = z.array(z.strictObject({ label: z.string().min(1).max(20), percent: z.int().min(1).max(100) }));
export type GradeShares = z.infer<typeof gradeShares>;

/** By what programs know a grade, where that is not its label: those whose label was changed, and those that were given their label since. */
export const gradeKeys = z.array(z.strictObject({ label: z.string().min(1).max(20), key: z.string().min(1).max(100) }));
export type GradeKeys = z.infer<typeof gradeKeys>;

const content = { name: label, grades: gradeShares };

/** Storage contract of `gradeprofile-{schoolId}.{gradeProfileId}`: how a year group's grades are shared out. */
export const gradeProfileEvents = {
  GradeProfileCreated: event(1, z.strictObject({ subjectId: id, yearGroupId: id, ...content })),
  GradeProfileEdited: event(2, z.strictObject({ ...content, keys: gradeKeys.optional() })),
  GradeProfileDeleted: event(1, z.strictObject({})),
  GradeProfileRestored: event(1, z.strictObject({})),
};

export type GradeProfileEvent = EventOf<typeof gradeProfileEvents>;
export type GradeProfile = {
  /** undefined: there is no such profile */
  readonly subjectId: string | undefined;
  readonly name: string;
  readonly grades: Readonly<GradeShares>;
  readonly keys: Readonly<GradeKeys>;
  readonly deleted: boolean;
};

export const gradeProfile: Aggregate<GradeProfile, GradeProfileEvent> = {
  category: 'gradeprofile',
  initial: () => ({ subjectId: undefined, name: '', grades: [], keys: [], deleted: false }),
  evolve: (state, { type, data }) => {
    switch (type) {
      case 'GradeProfileCreated':
        return { subjectId: data.subjectId, name: data.name, grades: data.grades, keys: [], deleted: false };
      case 'GradeProfileEdited':
        return { ...state, name: data.name, grades: data.grades, keys: data.keys ?? [] };
      case 'GradeProfileDeleted':
      case 'GradeProfileRestored':
        return { ...state, deleted: type === 'GradeProfileDeleted' };
    }
  },
};
