import { idIn } from '../../events/aggregate.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { gradeProfileEvents } from '../../events/tasks/grade-profile.ts';
import { projection } from '../engine/projection.ts';
import { gradeProfiles } from './tables.ts';

type Event = ReadEventOf<typeof gradeProfileEvents>;

/** Grade profiles of year groups. */
export const gradeProfilesProjection = projection<Event>()({
  name: 'grade_profiles',
  version: 2,
  tables: { gradeProfiles },
  on: ['GradeProfileCreated', 'GradeProfileEdited', 'GradeProfileDeleted', 'GradeProfileRestored'],

  load: (events, rows) =>
    rows.gradeProfiles.load(events.map(({ metadata, stream }) => ({ school_id: metadata.schoolId, grade_profile_id: idIn(stream) }))),

  apply(event, rows) {
    const key = { school_id: event.metadata.schoolId, grade_profile_id: idIn(event.stream) };
    if (event.type === 'GradeProfileCreated') {
      const { subjectId, yearGroupId, name, grades } = event.data;
      rows.gradeProfiles.put({ ...key, subject_id: subjectId, year_group_id: yearGroupId, name, grades, keys: [], deleted: false });
      return;
    }
    const before = rows.gradeProfiles.get(key);
    if (!before) return;
    if (event.type === 'GradeProfileEdited') rows.gradeProfiles.put({ ...before, ...event.data, keys: event.data.keys ?? [] });
    else rows.gradeProfiles.put({ ...before, deleted: event.type === 'GradeProfileDeleted' });
  },

  channels: (event, rows) => {
    const profile = rows.gradeProfiles.get({ school_id: event.metadata.schoolId, grade_profile_id: idIn(event.stream) });
    return profile ? [`tasks:${profile.subject_id}`] : [];
  },
});
