import type { Sentence, Things } from '../../events/sentence.ts';
import type { RunSql } from '../common/facts.ts';
import type { RecordPart } from './history.contract.ts';
import { NAMES_OF } from './record-sql.ts';

/** Of things up to this many are named, of more there is the number. */
const MOST_NAMED = 3;

const plural: Readonly<Record<Things['kind'], readonly [string, string]>> = {
  account: ['account', 'accounts'],
  assessment: ['assessment', 'assessments'],
  class: ['class', 'classes'],
  exam: ['terminal exam', 'terminal exams'],
  gradeProfile: ['grade profile', 'grade profiles'],
  header: ['header', 'headers'],
  question: ['question', 'questions'],
  scheme: ['scheme of work', 'schemes of work'],
  student: ['student', 'students'],
  subject: ['subject', 'subjects'],
  task: ['feedback task', 'feedback tasks'],
  teacher: ['teacher', 'teachers'],
  topic: ['topic', 'topics'],
  yearGroup: ['year group', 'year groups'],
};

/** Names by id: undefined: there is none; null: forgotten. */
export type Names = ReadonlyMap<string, string | null>;

export const namesOf = async (query: RunSql, ids: Iterable<string>): Promise<Names> => {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Map();
  const rows = await query<{ id: string; name: string | null }>(NAMES_OF, [asked]);
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** The ids of things that are named in it. */
export const idsNamedIn = (sentence: Sentence): readonly string[] =>
  sentence.flatMap((part) => (typeof part === 'string' || part.ids.length > MOST_NAMED ? [] : part.ids));

/** Words with the names of things. */
export const partsOf = (sentence: Sentence, names: Names): RecordPart[] =>
  sentence.flatMap((part) => (typeof part === 'string' ? [{ text: part }] : namedParts(part, names)));

export const nameOf = ({ kind }: Pick<Things, 'kind'>, id: string, names: Names): RecordPart => ({
  text: names.get(id) ?? `(${names.has(id) ? 'forgotten' : `unknown ${plural[kind][0]}`})`,
  kind,
  id,
});

const namedParts = (things: Things, names: Names): RecordPart[] => {
  const { kind, ids } = things;
  if (ids.length > MOST_NAMED) return [{ text: `${ids.length} ${plural[kind][1]}` }];
  return ids.flatMap((id, index): RecordPart[] => {
    const between = index === 0 ? '' : index === ids.length - 1 ? ' and ' : ', ';
    return [...(between === '' ? [] : [{ text: between }]), nameOf(things, id, names)];
  });
};
