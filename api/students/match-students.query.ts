import { mayWriteSet } from '../actor.ts';
import { defineQuery } from '../common/query.ts';
import type { Match } from './identity.formula.ts';
import { People } from './identity.formula.ts';
import type { MatchedStudents } from './students.contract.ts';
import { rosterQueries } from './students.contract.ts';
import type { OnRoll } from './students.facts.ts';
import { admissionKey, admissionKeys, onRoll } from './students.facts.ts';

/**
 * Whom rows mean, of a file or of what was pasted, by StudentIDs and names in any spelling. Only students are named for whom the reader may
 * enter marks; a StudentID that is somebody else's as it stands is theirs, whatever the name beside it.
 */
export const matchStudents = defineQuery({
  largest: 'upload',
  ...rosterQueries['match-students'],
  models: ['structure', 'roster'],
  async run(query, { subjectId, setIds, rows }, actor): Promise<MatchedStudents> {
    const isMeant = ({ setId }: OnRoll): boolean => (setIds?.includes(setId) ?? true) && mayWriteSet(actor, { setId, subjectId });
    const ids = rows.map(({ admissionNo }) => admissionNo);
    const [students, taken] = await Promise.all([onRoll(query, subjectId), admissionKeys(query, ids)]);
    const people = new People(students.filter(isMeant));
    return {
      rows: rows.flatMap(({ admissionNo: id, name }, row) => {
        if (id !== '' && people.withId(id) === undefined && taken.has(admissionKey(id))) return [];
        const match = people.match({ id, name });
        return match.kind === 'nobody' ? [] : [{ row, ...matched(match, people.withId(id)) }];
      }),
    };
  },
});

type Matched = Omit<MatchedStudents['rows'][number], 'row'>;

const matched = (match: Exclude<Match<OnRoll>, { kind: 'nobody' }>, withId: OnRoll | undefined): Matched => {
  const shown = ({ admissionNo, name, setName }: OnRoll) => ({ admissionNo, name, setName });
  if (match.kind === 'several') return { kind: 'several', students: match.students.map(shown) };
  const { kind, student, damage } = match;
  return {
    kind: kind === 'certain' && withId === student ? 'exact' : kind,
    students: [shown(student)],
    ...(damage === undefined ? {} : { damage }),
    ...(match.kind === 'likely' ? { differs: match.differs } : {}),
  };
};
