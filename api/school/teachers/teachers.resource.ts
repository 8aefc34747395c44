import { resource } from '../../common/resource.ts';
import { setsRecords } from '../sets/sets.contract.ts';

/** The teachers of a subject with their sets (`classes`: the names as one text); a forgotten name is null. */
export const teachers = resource({
  record: setsRecords.teachers,
  models: ['structure'],
  from: `
    select t.teacher_id as id, t.subject_id as "subjectId", t.name,
      array(select s.set_id from unnest(t.set_ids) with ordinality as chosen (set_id, place)
              join sets s on s.school_id = $1 and s.set_id = chosen.set_id and not s.deleted order by place) as "setIds",
      (select string_agg(s.name, '; ' order by s.name) from sets s
        where s.school_id = $1 and s.set_id = any(t.set_ids) and not s.deleted) as classes
    from teachers t where t.school_id = $1`,
  columns: { subjectId: 'uuid', name: 'text', classes: 'text' },
  search: ['name'],
  sort: 'name',
  subject: 'subjectId',
  edited: ['name', 'setIds'],
  create: { command: 'AddTeacher', body: ({ subjectId, name }) => ({ subjectId, name }), id: 'teacherId' },
  update: {
    command: 'ChangeTeacher',
    body: ({ name, setIds }, { id, subjectId }) => ({ subjectId, teacherId: id, name: name ?? undefined, setIds }),
  },
  remove: { command: 'RemoveTeacher', body: ({ id, subjectId }) => ({ subjectId, teacherId: id }) },
});
