import type { ReadAs } from '../common/facts.ts';
import { everyPart } from '../contract/channels.ts';

/**
 * Whether a channel is about marks, and has to be narrowed before pages get notice of it. The projection of marks announces `marks:{subject}`, of
 * all that it holds, and the `save:{command}` that changed them: it knows no classes.
 */
export const isOfMarks = (channel: string): boolean => channel.startsWith('marks:') || channel.startsWith('save:');

/** Looks nothing up: any part of the marks of these subjects may have changed. */
export const unnarrowed = (channels: readonly string[]): readonly string[] => {
  const ofMarks = channels.filter((channel) => channel.startsWith('marks:'));
  return [...new Set([...ofMarks, ...ofMarks.filter((channel) => !channel.includes('/')).map((channel) => everyPart(channel.slice(6)))])];
};

/**
 * The channels of the year groups and assessments whose marks the saves have changed. A student's year group is that of the moment: if a
 * student is moved at the same time, the change of the roster, which pages follow too, is announced after that of the marks was looked up.
 */
export const narrowed = async (readAs: ReadAs, schoolId: string, channels: readonly string[]): Promise<readonly string[]> => {
  const commandIds = [...new Set(channels.filter((channel) => channel.startsWith('save:')))].map((channel) => channel.slice(5));
  if (commandIds.length === 0) return unnarrowed(channels);
  const saves = await readAs(schoolId, (query) => query<Save>(SAVES, [commandIds]));
  if (saves.length < commandIds.length) return unnarrowed(channels);
  const subjects = new Set(saves.map(({ subjectId }) => `marks:${subjectId}`));
  const parts = saves.flatMap(({ subjectId, yearGroupIds, testIds, isUpload }) =>
    [...yearGroupIds, ...testIds, ...(isUpload ? ['uploads'] : [])].map((part) => `marks:${subjectId}/${part}`),
  );
  const others = channels.filter((channel) => channel.startsWith('marks:') && !subjects.has(channel));
  return [...new Set([...subjects, ...parts, ...unnarrowed(others)])];
};

type Save = {
  readonly subjectId: string;
  readonly isUpload: boolean;
  readonly testIds: readonly string[];
  readonly yearGroupIds: readonly string[];
};

const SAVES = `
select v.subject_id as "subjectId", v.kind in ('totals', 'marks') as "isUpload", v.test_ids as "testIds",
  array(select distinct s.year_group_id
          from enrolments e join sets s on s.school_id = $1 and s.set_id = e.set_id
         where e.school_id = $1 and e.subject_id = v.subject_id and e.student_id = any(v.student_ids)) as "yearGroupIds"
from saves v
where v.school_id = $1 and v.command_id = any($2::uuid[])`;
