import { z } from 'zod';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { MAX_UPLOAD_ROWS } from '../../contract/limits.ts';
import type { CommandName } from '../../commands.ts';
import type { Model } from '../../common/models.ts';
import { inTheirSubjects } from '../../pipeline/about.ts';
import type { Caller } from '../caller.ts';
import type { Step } from '../step.ts';
import { entry } from '../step.ts';
import type { Removed, Table, Tables } from '../tables.ts';
import { linkId, table } from '../tables.ts';
import type { Kind } from './look-up.ts';
import { ownersOf } from './look-up.ts';

type Pair = { readonly subjectId: string; readonly one: string; readonly other: string };

/** A table of pairs. */
type Links = {
  readonly name: keyof typeof LINKS;
  readonly models: readonly Model[];
  readonly one: string;
  readonly other: string;
  /** What `one` is, which says in which subject the link is. */
  readonly kind: Kind;
  readonly behind: CommandName;
  readonly linking: (place: number, linkId: string, pair: Pair, linked: boolean) => Step;
};

/** By table, all pairs that there are, as `one` and `other` with their `subjectId`. $1 school. */
const LINKS = {
  TestSets: `
    select s.subject_id as "subjectId", s.set_id as one, t.test_id as other
    from sets s cross join unnest(s.test_ids) chosen (test_id) join tests t on t.school_id = $1 and t.test_id = chosen.test_id
    where s.school_id = $1 and not s.deleted`,
  TeachersSets: `
    select t.subject_id as "subjectId", t.teacher_id as one, s.set_id as other
    from teachers t cross join unnest(t.set_ids) taught (set_id) join sets s on s.school_id = $1 and s.set_id = taught.set_id and not s.deleted
    where t.school_id = $1`,
  NLPSoW: `
    select m.subject_id as "subjectId", m.scheme_topic_id as one, x.topic_id as other
    from scheme_topic_maps m cross join unnest(m.topic_ids) bound (topic_id)
    join topics x on x.school_id = $1 and x.subject_id = m.subject_id and x.topic_id = bound.topic_id and not x.hidden
    where m.school_id = $1`,
  NLPAssess: `
    select m.subject_id as "subjectId", m.question_id as one, x.topic_id as other
    from question_maps m cross join unnest(m.topic_ids) bound (topic_id)
    join topics x on x.school_id = $1 and x.subject_id = m.subject_id and x.topic_id = bound.topic_id and not x.hidden
    join questions q on q.school_id = $1 and q.question_id = m.question_id and not q.hidden
    where m.school_id = $1`,
  SoWMapping: `
    select p.subject_id as "subjectId", p.scheme_topic_id as one, q.question_id as other
    from prerequisites p cross join unnest(p.question_ids) bound (question_id)
    join questions q on q.school_id = $1 and q.question_id = bound.question_id and not q.hidden
    where p.school_id = $1`,
} as const;

/** The links of a table in the subjects that the caller may see. */
const linksOf = async (caller: Caller, pairs: string): Promise<readonly Pair[]> =>
  inTheirSubjects(caller.actor, await caller.sql((query) => query<Pair>(pairs)));

const linkTable = ({ name, models, one, other, kind, behind, linking }: Links): Table => {
  const [key, pairs] = [`${name}ID`, LINKS[name]];
  const idOf = (pair: Pair): string => linkId(name, pair.one, pair.other);
  const linkingAll = (placed: Iterable<readonly [place: number, pair: Pair]>, linked: boolean): readonly Step[] =>
    [...placed].map(([place, pair]) => linking(place, idOf(pair), pair, linked));
  const removeBy = (side: 'one' | 'other') => async (caller: Caller, rows: readonly Removed[]) => {
    const all = await linksOf(caller, pairs);
    const wanted = new Set(rows.map((row) => row.key));
    const found = all.filter((pair) => wanted.has(pair[side]));
    if (found.length > MAX_UPLOAD_ROWS) throw new ProblemError('refused', `There are ${found.length} such links. Take them away in parts.`);
    return linkingAll(found.entries(), false);
  };
  return table({
    behind: [behind],
    models,
    key,
    columns: z.strictObject({ [one]: id, [other]: id }),
    differs: `${key} is the id of its pair: the same for the same two. A link that is there already is answered with its id. All links of one subject are stored, or none.`,
    add: async (caller, rows) => {
      const owner = await ownersOf(
        caller,
        kind,
        rows.map(({ values }) => String(values[one])),
      );
      const placed = rows.map(({ place, key: sent, values }): readonly [number, Pair] => {
        const [first, second] = [String(values[one]), String(values[other])];
        const pair = { subjectId: owner(first).subjectId, one: first, other: second };
        if (sent !== null && sent !== idOf(pair)) throw invalidInput(`data.${place}.keyval.${key}`, 'This is the id of another link.');
        return [place, pair];
      });
      return linkingAll(placed, true);
    },
    remove: {
      [key]: async (caller, rows) => {
        const all = new Map((await linksOf(caller, pairs)).map((pair) => [idOf(pair), pair]));
        const placed = rows.map(({ key: wanted, place }): readonly [number, Pair] => {
          const pair = all.get(wanted);
          if (!pair) throw new ProblemError('not-found', 'There is no such link.');
          return [place, pair];
        });
        return linkingAll(placed, false);
      },
      [one]: removeBy('one'),
      [other]: removeBy('other'),
    },
  });
};

export const linkTables: Tables = {
  TestSets: linkTable({
    name: 'TestSets',
    models: ['structure'],
    one: 'SetID',
    other: 'TestID',
    kind: 'set',
    behind: 'LinkSetAssessment',
    linking: (place, linkKey, { subjectId, one: setId, other: testId }, linked) =>
      entry(place, 'LinkSetAssessment', { subjectId, links: [], linked }, ['links', { setId, testId }], linkKey),
  }),
  TeachersSets: linkTable({
    name: 'TeachersSets',
    models: ['structure'],
    one: 'TeacherID',
    other: 'SetID',
    kind: 'teacher',
    behind: 'LinkTeacherSet',
    linking: (place, linkKey, { subjectId, one: teacherId, other: setId }, linked) =>
      entry(place, 'LinkTeacherSet', { subjectId, links: [], linked }, ['links', { teacherId, setId }], linkKey),
  }),
  NLPSoW: linkTable({
    name: 'NLPSoW',
    models: ['mappings'],
    one: 'SoWTopicID',
    other: 'TopicID',
    kind: 'schemeTopic',
    behind: 'LinkSchemeTopic',
    linking: (place, linkKey, { subjectId, one: schemeTopicId, other: topicId }, linked) =>
      entry(place, 'LinkSchemeTopic', { subjectId, links: [], linked }, ['links', { schemeTopicId, topicId }], linkKey),
  }),
  NLPAssess: linkTable({
    name: 'NLPAssess',
    models: ['mappings'],
    one: 'QuestionID',
    other: 'TopicID',
    kind: 'question',
    behind: 'LinkQuestionTopic',
    linking: (place, linkKey, { subjectId, one: questionId, other: topicId }, linked) =>
      entry(place, 'LinkQuestionTopic', { subjectId, links: [], linked }, ['links', { questionId, topicId }], linkKey),
  }),
  SoWMapping: linkTable({
    name: 'SoWMapping',
    models: ['mappings'],
    one: 'SoWTopicID',
    other: 'QuestionID',
    kind: 'schemeTopic',
    behind: 'LinkPrerequisite',
    linking: (place, linkKey, { subjectId, one: schemeTopicId, other: questionId }, linked) =>
      entry(place, 'LinkPrerequisite', { subjectId, links: [], linked }, ['links', { schemeTopicId, questionId }], linkKey),
  }),
};
