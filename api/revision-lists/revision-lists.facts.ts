import { revisionLists } from '../../events/revision-lists/revision-lists.ts';
import type { Touched } from '../common/command.ts';
import type { Facts } from '../common/facts.ts';
import { bySubject } from '../common/of-subject.ts';

/** What all commands about the lists of a subject have in common. */
export const onLists = {
  aggregate: revisionLists,
  streamId: bySubject,
  touches: ({ subjectId }: { readonly subjectId: string }): Touched => ({ subjectId, setIds: [] }),
};

type PaperOfList = {
  readonly test: boolean;
  /** All that were ever on the paper. */
  readonly questions: readonly { readonly questionId: string; readonly number: number; readonly hidden: boolean }[];
};

/** Whether the subject has such an assessment, and its questions. */
export const paperOfList: Facts<{ readonly subjectId: string; readonly testId: string }, PaperOfList> = {
  models: ['structure', 'assessments'],
  waits: true,
  async load(query, { subjectId, testId }) {
    const [row] = await query<PaperOfList>(
      `select t.test_id is not null as test,
              (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'hidden', q.hidden)), '[]')
                 from questions q where q.school_id = $1 and q.test_id = t.test_id) as questions
         from (values (1)) one
         left join tests t on t.school_id = $1 and t.subject_id = $2 and t.test_id = $3`,
      [subjectId, testId],
    );
    return row ?? { test: false, questions: [] };
  },
};

/** How many entries these lists of the events have together. */
export const countIn = (events: readonly { readonly data: object }[], ...lists: readonly string[]): number =>
  events
    .flatMap(({ data }) => Object.entries(data))
    .reduce((all, [name, list]) => all + (lists.includes(name) && Array.isArray(list) ? list.length : 0), 0);

export const sameOrder = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);
