import { school } from '../../events/school/school.ts';
import { USUAL_WORDS } from './report-words.contract.ts';
import { openSchool, schoolCommands } from './school.contract.ts';
import { command, refuse } from '../common/command.ts';
import { z } from 'zod';
import { id } from '../contract/fields.ts';

export const OpenSchool = command({
  input: openSchool,
  result: z.object({ schoolId: id }),
  aggregate: school,
  decide({ name }, state) {
    if (state.status === 'open') return refuse('refused', 'This school is open already.');
    return [{ type: 'SchoolOpened', data: { name } }];
  },
  answer: (_input, _events, _facts, { schoolId }) => ({ schoolId }),
});

export const RenameSchool = command({
  ...schoolCommands.RenameSchool,
  aggregate: school,
  decide({ name }, state) {
    if (state.status === 'none') return refuse('not-found', 'There is no such school.');
    return state.name === name ? [] : [{ type: 'SchoolRenamed', data: { name } }];
  },
});

/** Whether leaders may change the structure of their own subjects (`ifOpen` in api/access.ts). */
export const OpenStructureToLeaders = command({
  ...schoolCommands.OpenStructureToLeaders,
  aggregate: school,
  decide({ open }, state) {
    if (state.status === 'none') return refuse('not-found', 'There is no such school.');
    if (state.structureOpen === open) return [];
    return [{ type: open ? 'SchoolStructureOpened' : 'SchoolStructureClosed', data: {} }];
  },
});

/** Whether students see their rank, score and grade of complete tasks on their home; their own data has them always. */
export const ShowResultsToStudents = command({
  ...schoolCommands.ShowResultsToStudents,
  aggregate: school,
  decide({ shown }, state) {
    if (state.status === 'none') return refuse('not-found', 'There is no such school.');
    if (state.resultsShown === shown) return [];
    return [{ type: shown ? 'SchoolResultsShown' : 'SchoolResultsHidden', data: {} }];
  },
});

/** What the school prints on its reports. */
export const ChangeReportWords = command({
  ...schoolCommands.ChangeReportWords,
  aggregate: school,
  decide(words, state) {
    if (state.status === 'none') return refuse('not-found', 'There is no such school.');
    const { foot, sentence, comparisons } = state.reportWords ?? USUAL_WORDS;
    const isSame = words.foot === foot && words.sentence === sentence && words.comparisons === comparisons;
    return isSame ? [] : [{ type: 'SchoolReportWordsChanged', data: words }];
  },
});
