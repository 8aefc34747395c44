import type { Program } from './program.ts';

export type Made = Awaited<ReturnType<typeof makeStructure>>;

/** By name, and in the order of their ids: four in 11A, four in 11B. */
export const NAMES = ['Ashe, Amy', 'Bond, Ben', 'Cole, Cat', 'Dean, Dan', 'East, Eve', 'Ford, Fay', 'Gray, Guy', 'Hill, Hal'];

/** The structure and the students of a school, made by the documented calls: the mock has questions of 5, 10 and 5 marks, the quiz one of 30. */
export const makeStructure = async (admin: Program) => {
  const [SubjectID] = (await admin.adds('/admin', 'subject', 'subjectid', [{ subject_name: 'Mathematics' }])) as [string];
  const [YeargroupID] = (await admin.adds('/admin', 'Yeargroups', 'YeargroupID', [{ Yeargroup: 11, SubjectId: SubjectID }])) as [string];
  const [SoWID] = (await admin.adds('/admin', 'SoW', 'SoWId', [{ SoWName: 'Higher', SubjectID }])) as [string];
  const topics = await admin.adds(
    '/admin',
    'SoWTopic',
    'SoWTopicID',
    ['Number', 'Algebra'].map((SoWTopic) => ({ SoWTopic, SoWID })),
  );
  const [mock, quiz] = (await admin.adds(
    '/admin',
    'TestData',
    'TestID',
    ['Mock', 'Quiz'].map((TestName) => ({ TestName, SubjectID, Allowinput: 1 })),
  )) as [string, string];
  const questions = await admin.adds(
    '/admin',
    'QuestionData',
    'QuestionID',
    [5, 10, 5].map((MarksAvailable, index) => ({
      TestID: mock,
      QuestionNumber: index + 1,
      TestTopic: `Topic ${index + 1}`,
      MarksAvailable,
    })),
  );
  await admin.adds('/admin', 'QuestionData', 'QuestionID', [{ TestID: quiz, QuestionNumber: 1, TestTopic: 'All', MarksAvailable: 30 }]);
  const [setA, setB] = (await admin.adds(
    '/admin',
    'MathsSets',
    'SetId',
    ['11A', '11B'].map((SetName) => ({ SetName, YeargroupID, SoWID, MappedAssessments: [mock, quiz] })),
  )) as [string, string];
  const teachers = await admin.adds(
    '/admin',
    'Teachers',
    'TeacherID',
    ['Ms Ali', 'Mr Bell', 'Dr Cole'].map((Teacher) => ({ Teacher, SubjectID })),
  );
  const links = [setA, setB].map((SetID, index) => ({ TeacherID: teachers[index], SetID }));
  await admin.adds('/admin', 'TeachersSets', 'TeachersSetsID', links);
  const exams = [
    { EndpointName: 'KS2', YearSat: 6, SubjectID },
    { EndpointName: 'GCSE', YearSat: 11, SubjectID },
  ];
  const [ks2, gcse] = (await admin.adds('/admin', 'EndpointNames', 'EndpointID', exams)) as [string, string];
  const students = await admin.adds(
    '/admin',
    'StudentNames',
    'UniqueID',
    NAMES.map((LastFirst, index) => ({ StudentID: `S${index}`, LastFirst, DoB: `2010-01-0${index + 1}`, SetID: index < 4 ? setA : setB })),
  );
  await admin.adds('/admin', 'SoWMapping', 'SoWMappingID', [{ SoWTopicID: topics[0], QuestionID: questions[0] }]);
  return { SubjectID, YeargroupID, SoWID, mock, quiz, questions, setA, setB, teachers, ks2, gcse, students };
};
