import { inOrder } from '../../common/in-order.ts';
import { defineQuery } from '../../common/query.ts';
import type { TeachersToView } from '../sets/sets.contract.ts';
import { setsQueries } from '../sets/sets.contract.ts';

/** The teachers of a subject with their classes, for leaders and admins who view the pages of one of them (X-View-As). */
export const teachersToView = defineQuery({
  ...setsQueries['teachers-to-view'],
  models: ['structure'],
  async run(query, { subjectId }): Promise<TeachersToView> {
    const teachers = await query<TeachersToView['teachers'][number]>(
      `select t.teacher_id as "teacherId", t.name,
              (select coalesce(json_agg(json_build_object('setId', g.set_id, 'name', g.name) order by ${inOrder('g.name')}), '[]')
                 from sets g where g.school_id = $1 and g.set_id = any(t.set_ids) and not g.deleted) as sets
         from teachers t
        where t.school_id = $1 and t.subject_id = $2
        order by ${inOrder('t.name')}, t.teacher_id`,
      [subjectId],
    );
    return { teachers };
  },
});
