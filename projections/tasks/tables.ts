import type { GradeShares } from '../../events/tasks/grade-profile.ts';
import { harmless, json, table } from '../engine/tables/table.ts';

export const gradeProfiles = table('grade_profiles', {
  key: { grade_profile_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    year_group_id: 'uuid',
    name: harmless('text'),
    grades: harmless(json<Readonly<GradeShares>>()),
    deleted: 'bool',
  },
  indexes: [['school_id', 'year_group_id']],
});
