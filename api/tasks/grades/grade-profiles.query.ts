import { inOrder } from '../../common/in-order.ts';
import { theRow } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { percentSum } from './grades.contract.ts';
import type { GradeProfiles } from './grade-profile.contract.ts';
import { tasksQueries } from './grade-profile.contract.ts';

type Profile = GradeProfiles['profiles'][number];
type Read = Omit<Profile, 'sum' | 'keys'> & { readonly keys: NonNullable<Profile['keys']> };

/** The grade profiles of a year group. */
export const gradeProfiles = defineQuery({
  ...tasksQueries['grade-profiles'],
  models: ['structure', 'grade_profiles'],
  async run(query, { subjectId, yearGroupId }): Promise<GradeProfiles> {
    const { profiles } = theRow(await query<{ profiles: readonly Read[] }>(PROFILES, [subjectId, yearGroupId]));
    return {
      profiles: profiles.map(({ keys, ...profile }) => ({
        ...profile,
        ...(keys.length === 0 ? {} : { keys }),
        sum: percentSum(profile.grades),
      })),
    };
  },
});

/** $1 school; $2 subject; $3 year group. */
const PROFILES = `
select (select coalesce(json_agg(json_build_object('gradeProfileId', p.grade_profile_id, 'name', p.name, 'grades', p.grades, 'keys', p.keys)
                 order by ${inOrder('p.name')}, p.grade_profile_id), '[]')
          from grade_profiles p where p.school_id = $1 and p.year_group_id = y.year_group_id and not p.deleted) as profiles
from year_groups y
where y.school_id = $1 and y.subject_id = $2 and y.year_group_id = $3`;
