import { changesOf, day, deletion, nameOf, renaming, words, wordsOrNone } from '../change.ts';
import type { Descriptions } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { subjectEvents, Thresholds } from './subject.ts';

export const subjectSentences: Descriptions<typeof subjectEvents> = {
  SubjectAdded: {
    says: ({ data }) => [`added the subject ${data.name}`],
    changes: ({ id, data }) => changesOf('subject', id, { Name: words(data.name) }),
  },
  SubjectRenamed: renaming('renamed a subject to ', 'subject', ({ id }) => id),
  SubjectRemoved: deletion('removed the subject ', 'subject', true, ({ id }) => id),
  SubjectRestored: deletion('restored the subject ', 'subject', false, ({ id }) => id),
  SchoolYearBegun: { says: ({ data: { year } }) => [`began the school year ${year}/${String(year + 1).slice(2)}`] },
  YearGroupAdded: {
    says: ({ data }) => [`added the year group ${data.year}`],
    changes: ({ data }) => changesOf('yearGroup', data.yearGroupId, { Year: data.year }),
  },
  YearGroupRenamed: {
    says: ({ data }) => [`renamed a year group to ${data.year}`],
    changes: ({ data }) => changesOf('yearGroup', data.yearGroupId, { Year: data.year }),
  },
  YearGroupDeleted: deletion('deleted ', 'yearGroup', true, ({ data }) => data.yearGroupId),
  YearGroupRestored: deletion('restored ', 'yearGroup', false, ({ data }) => data.yearGroupId),
  SetAdded: {
    says: ({ data }) => [`added the class ${data.name} to `, things('yearGroup', data.yearGroupId)],
    changes: ({ data }) =>
      changesOf('class', data.setId, {
        Name: words(data.name),
        'Year group': things('yearGroup', data.yearGroupId),
        'Scheme of work': things('scheme', data.schemeId),
        'RAG thresholds': words(percentages(data.thresholds)),
      }),
  },
  SetRenamed: renaming('renamed a class to ', 'class', ({ data }) => data.setId),
  SetMovedToYearGroup: {
    says: ({ data }) => ['moved the class ', things('class', data.setId), ' to ', things('yearGroup', data.yearGroupId)],
    changes: ({ data }) => changesOf('class', data.setId, { 'Year group': things('yearGroup', data.yearGroupId) }),
  },
  SetSchemeChosen: {
    says: ({ data }) => ['chose the scheme of work ', things('scheme', data.schemeId), ' for ', things('class', data.setId)],
    changes: ({ data }) => changesOf('class', data.setId, { 'Scheme of work': things('scheme', data.schemeId) }),
  },
  SetAssessmentsChosen: {
    says: ({ data: { setId, testIds } }) =>
      testIds.length === 0
        ? ['took all assessments from ', things('class', setId)]
        : ['chose ', things('assessment', ...testIds), ' for ', things('class', setId)],
    changes: ({ data }) => changesOf('class', data.setId, { Assessments: things('assessment', ...data.testIds) }),
  },
  SetThresholdsChanged: {
    says: ({ data }) => ['set the RAG thresholds of ', things('class', data.setId), ` to ${percentages(data.thresholds)}`],
    changes: ({ data }) => changesOf('class', data.setId, { 'RAG thresholds': words(percentages(data.thresholds)) }),
  },
  SetAssessmentDated: {
    says: ({ data: { setId, testId, satOn } }) => [
      satOn === null ? 'took back the day on which ' : 'set the day on which ',
      things('class', setId),
      ' sat ',
      things('assessment', testId),
      satOn === null ? '' : ` to ${day(satOn)}`,
    ],
    changes: ({ data: { setId, testId, satOn } }) =>
      changesOf('class', setId, { 'Date sat': wordsOrNone(satOn && day(satOn)) }, { kind: 'assessment', id: testId }),
  },
  SetDeleted: deletion('deleted the class ', 'class', true, ({ data }) => data.setId),
  SetRestored: deletion('restored the class ', 'class', false, ({ data }) => data.setId),
  TeacherAdded: {
    says: ({ data }) => ['added the teacher ', things('teacher', data.teacherId)],
    changes: ({ data }) => changesOf('teacher', data.teacherId, { Name: nameOf(data.person) }),
  },
  TeacherRenamed: {
    says: ({ data }) => ['changed the name of the teacher ', things('teacher', data.teacherId)],
    changes: ({ data }) => changesOf('teacher', data.teacherId, { Name: nameOf(data.person) }),
  },
  TeacherSetsAssigned: {
    says: ({ data: { teacherId, setIds } }) =>
      setIds.length === 0
        ? ['took all classes from the teacher ', things('teacher', teacherId)]
        : ['assigned ', things('class', ...setIds), ' to the teacher ', things('teacher', teacherId)],
    changes: ({ data }) => changesOf('teacher', data.teacherId, { Classes: things('class', ...data.setIds) }),
  },
  TeacherRemoved: deletion('removed the teacher ', 'teacher', true, ({ data }) => data.teacherId),
  TeacherRestored: deletion('restored the teacher ', 'teacher', false, ({ data }) => data.teacherId),
  TeacherForgotten: {
    says: () => ['deleted the name of a teacher for good'],
    changes: ({ data }) => changesOf('teacher', data.teacherId, { Forgotten: true }),
  },
  TerminalExamAdded: {
    says: ({ data }) => [`added the terminal exam ${data.name}, sat in school year ${data.yearSat}`],
    changes: ({ data }) => changesOf('exam', data.terminalExamId, { Name: words(data.name), 'Year sat': data.yearSat }),
  },
  TerminalExamRenamed: renaming('renamed a terminal exam to ', 'exam', ({ data }) => data.terminalExamId),
  TerminalExamYearChanged: {
    says: ({ data }) => ['moved the terminal exam ', things('exam', data.terminalExamId), ` to school year ${data.yearSat}`],
    changes: ({ data }) => changesOf('exam', data.terminalExamId, { 'Year sat': data.yearSat }),
  },
  TerminalExamRemoved: deletion('removed the terminal exam ', 'exam', true, ({ data }) => data.terminalExamId),
  TerminalExamRestored: deletion('restored the terminal exam ', 'exam', false, ({ data }) => data.terminalExamId),
};

const percentages = ({ red, amber, green }: Thresholds): string => `red ${red} %, amber ${amber} %, green ${green} %`;
