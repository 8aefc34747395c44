import { bearingOn } from '../analysis/topics.formula.ts';
import type { SchemeTopic, TreeTopic } from '../analysis/topics.formula.ts';
import { inOrder } from '../common/in-order.ts';
import { noSuch } from '../common/about.ts';
import { theRow } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import { seenBy } from '../common/of-student.ts';
import type { RevisionList, RevisionListsPage } from './revision-lists.contract.ts';
import { revisionListsQueries } from './revision-lists.contract.ts';

type Question = NonNullable<RevisionListsPage['test']>['questions'][number];
type ReadTest = {
  readonly name: string;
  readonly questions: readonly (Omit<Question, 'suggested'> & { readonly topicIds: readonly string[] })[];
  readonly topics: readonly (SchemeTopic & { readonly name: string })[];
  readonly tree: readonly TreeTopic[];
};

/** The topic headers of a subject, and where the questions of one assessment stand. */
export const revisionLists = defineQuery({
  ...revisionListsQueries['revision-lists'],
  models: ['structure', 'assessments', 'mappings', 'revision_lists'],
  async run(query, { subjectId, testId }): Promise<RevisionListsPage> {
    const [page] = await query<Pick<RevisionListsPage, 'headers' | 'deleted' | 'tests'>>(HEADERS, [subjectId]);
    const { headers, deleted, tests } = page ?? { headers: [], deleted: [], tests: [] };
    if (testId === undefined) return { headers, deleted, tests, test: null };
    const read = theRow(await query<ReadTest>(TEST, [subjectId, testId]));
    return { headers, deleted, tests, test: { testId, name: read.name, questions: suggested(read) } };
  },
});

/** The list of an assessment: for staff of its subject, and for students who sit it. Staff who view as a student see what that student sees. */
export const revisionList = defineQuery({
  ...revisionListsQueries['revision-list'],
  models: ['structure', 'roster', 'assessments', 'revision_lists'],
  live: { roster: null },
  async run(query, { testId }, actor, { subjectId }): Promise<RevisionList> {
    const [test] = await query<{ name: string }>(SEEN, [testId, actor.studentId, ...seenBy(actor)]);
    if (!test) throw noSuch('assessment');
    const [list] = await query<Pick<RevisionList, 'headers'>>(LIST, [testId, subjectId]);
    return { testId, name: test.name, headers: list?.headers ?? [] };
  },
});

/** With the first topic of a scheme of work on which a question bears: one that was allocated by hand before one that shares a topic of the tree. */
const suggested = ({ questions, topics, tree }: ReadTest): readonly Question[] => {
  const bearing = bearingOn(topics, tree, questions);
  const all = topics.flatMap(({ schemeTopicId, name }) => (bearing.get(schemeTopicId) ?? []).map((one) => ({ ...one, name })));
  return questions.map(({ topicIds: _, ...question }) => {
    const ofQuestion = all.filter(({ questionId }) => questionId === question.questionId);
    return { ...question, suggested: (ofQuestion.find(({ byHand }) => byHand) ?? ofQuestion[0])?.name ?? null };
  });
};

/** In the order that counts: those that were put in order, then the others as they were added. */
const IN_ORDER = `h.place nulls last, h.added`;
const UNDER = `(select count(*)::int4 from revision_questions r
   where r.school_id = $1 and r.subject_id = h.subject_id and r.header_id = h.header_id)`;

/** $1 school; $2 subject. */
const HEADERS = `
select
  (select coalesce(json_agg(json_build_object('headerId', h.header_id, 'name', h.name, 'num', coalesce(h.place, 99), 'questions', ${UNDER})
           order by ${IN_ORDER}), '[]')
     from revision_headers h where h.school_id = $1 and h.subject_id = $2 and not h.deleted) as headers,
  (select coalesce(json_agg(json_build_object('headerId', h.header_id, 'name', h.name, 'questions', ${UNDER}) order by h.added desc), '[]')
     from revision_headers h where h.school_id = $1 and h.subject_id = $2 and h.deleted) as deleted,
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name, 'questions', n.questions, 'listed', n.listed)
           order by ${inOrder('t.name')}, t.test_id), '[]')
     from tests t
     cross join lateral (
       select count(*)::int4 as questions, count(h.header_id)::int4 as listed
         from questions q
         left join revision_questions r on r.school_id = $1 and r.question_id = q.question_id
         left join revision_headers h on h.school_id = $1 and h.header_id = r.header_id and not h.deleted
        where q.school_id = $1 and q.test_id = t.test_id and not q.hidden
     ) n
    where t.school_id = $1 and t.subject_id = $2) as tests`;

/**
 * $1 school; $2 subject; $3 assessment. The topics are of the schemes of work by which the classes that sit it are taught; of all, where no
 * class does.
 */
const TEST = `
with taught as (
  select distinct s.scheme_id from sets s
   where s.school_id = $1 and s.subject_id = $2 and not s.deleted and $3::uuid = any(s.test_ids)
)
select t.name,
  (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic,
             'marksAvailable', q.marks_available, 'headerId', h.header_id, 'text', case when h.header_id is not null then r.text end, 'topicIds', coalesce(m.topic_ids, '{}')) order by q.number), '[]')
     from questions q
     left join revision_questions r on r.school_id = $1 and r.question_id = q.question_id
     left join revision_headers h on h.school_id = $1 and h.header_id = r.header_id and not h.deleted
     left join question_maps m on m.school_id = $1 and m.question_id = q.question_id
    where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions,
  (select coalesce(json_agg(json_build_object('schemeTopicId', topic ->> 'topicId', 'name', topic ->> 'name',
             'topicIds', coalesce(m.topic_ids, '{}'), 'questionIds', coalesce(p.question_ids, '{}')) order by ${inOrder('c.name')}, c.scheme_id, place), '[]')
     from schemes c
     cross join json_array_elements(c.topics) with ordinality as listed (topic, place)
     left join scheme_topic_maps m on m.school_id = $1 and m.scheme_topic_id = (topic ->> 'topicId')::uuid
     left join prerequisites p on p.school_id = $1 and p.scheme_topic_id = (topic ->> 'topicId')::uuid
    where c.school_id = $1 and c.subject_id = $2
      and (c.scheme_id in (select scheme_id from taught) or not exists (select from taught))) as topics,
  (select coalesce(json_agg(json_build_object('topicId', topic_id, 'parentId', parent_id)), '[]')
     from topics where school_id = $1 and subject_id = $2 and not hidden) as tree
from tests t
where t.school_id = $1 and t.subject_id = $2 and t.test_id = $3`;

/** $1 school; $2 assessment; $3 the student whose view it is, null: staff as themselves; $4 the subjects and $5 the classes that may be seen, null: all. */
const SEEN = `
select t.name
from tests t
where t.school_id = $1 and t.test_id = $2
  and ($3::uuid is null or t.visible and exists (
    select from enrolments e
    join sets s on s.school_id = $1 and s.set_id = e.set_id and not s.deleted and t.test_id = any(s.test_ids)
     where e.school_id = $1 and e.student_id = $3 and e.subject_id = t.subject_id
       and ($4::uuid[] is null or e.subject_id = any($4)) and ($5::uuid[] is null or e.set_id = any($5))))`;

/** $1 school; $2 assessment; $3 its subject. */
const LIST = `
select coalesce(json_agg(json_build_object('headerId', h.header_id, 'name', h.name, 'questions', under.questions) order by ${IN_ORDER}), '[]') as headers
from revision_headers h
cross join lateral (
  select json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic, 'text', r.text) order by q.number) as questions
    from revision_questions r
    join questions q on q.school_id = $1 and q.question_id = r.question_id and q.test_id = $2 and not q.hidden
   where r.school_id = $1 and r.subject_id = $3 and r.header_id = h.header_id
) under
where h.school_id = $1 and h.subject_id = $3 and not h.deleted and under.questions is not null`;
