import { inOrder } from '../common/in-order.ts';
import type { NamedStudent } from '../contract/names.ts';
import type { RunSql } from '../common/facts.ts';
import { theRow } from '../common/facts.ts';
import type { GroupMarks } from './group.formula.ts';
import { groupMarks } from './group.formula.ts';
import type { Sat } from './sittings.facts.ts';
import { sittingsOfStudents } from './sittings.facts.ts';
import type { AskedQuestion } from './topic-figures.formula.ts';
import { askedOf } from './topic-figures.formula.ts';
import type { Bearing, Thresholds } from './topics.formula.ts';
import type { Topics } from './topics.facts.ts';
import { bearingOf, topicsOf } from './topics.facts.ts';

/** A class and who is in it now, by name: its figures are theirs, wherever they sat a test. */
export type ClassOf = {
  readonly setId: string;
  readonly name: string;
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly schemeId: string;
  readonly thresholds: Thresholds;
  readonly students: readonly (NamedStudent & { readonly studentId: string })[];
};

export const classOf = async (query: RunSql, setId: string): Promise<ClassOf> => theRow(await query<ClassOf>(CLASS, [setId]));

/**
 * What the figures of a class rest on: what each of its students did in each test, what they got together, the questions that they were asked,
 * and which of these bear on each topic of a scheme of work.
 */
export type ClassMarks = Sat & {
  readonly groups: ReadonlyMap<string, GroupMarks>;
  /** By question: those that somebody of the class has a mark for. */
  readonly askedQuestions: ReadonlyMap<string, AskedQuestion>;
  /** Undefined: the scheme of work is deleted, or none of the subject. */
  readonly topics: Topics | undefined;
  /** By topic of the scheme. */
  readonly bearing: ReadonlyMap<string, readonly Bearing[]>;
};

/** `schemeId`: another one of the subject than the class's. */
export const marksOfClass = async (
  query: RunSql,
  { subjectId, students, schemeId }: Pick<ClassOf, 'subjectId' | 'students' | 'schemeId'>,
): Promise<ClassMarks> => {
  const studentIds = students.map(({ studentId }) => studentId);
  const { papers, sittings } = await sittingsOfStudents(query, subjectId, studentIds);
  const groups = new Map([...papers].map(([testId, { questions }]) => [testId, groupMarks(sittings.get(testId) ?? [], questions)]));
  const askedQuestions = askedOf([...papers.values()], ({ testId, place }) => Boolean(groups.get(testId)?.questions[place]));
  const topics = await topicsOf(query, subjectId, schemeId);
  return { papers, sittings, groups, askedQuestions, topics, bearing: bearingOf(topics, askedQuestions.keys()) };
};

/** $1 school; $2 set. */
const CLASS = `
select s.set_id as "setId", s.name, s.subject_id as "subjectId", s.year_group_id as "yearGroupId", s.scheme_id as "schemeId",
  json_build_object('red', s.red, 'amber', s.amber, 'green', s.green) as thresholds,
  (select coalesce(json_agg(json_build_object('studentId', e.student_id, 'name', p.name, 'admissionNo', p.admission_no)
                           order by ${inOrder('p.name')}, e.student_id), '[]')
     from enrolments e
     join students p on p.school_id = $1 and p.student_id = e.student_id
    where e.school_id = $1 and e.set_id = s.set_id) as students
from sets s
where s.school_id = $1 and s.set_id = $2`;
