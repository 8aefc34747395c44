/**
 * What Marktrail does, in nine slides; the last says what a school needs to begin. Each has a picture of the demo school (`npm run
 * pictures`): `shows` is its alternative text.
 */
export type Slide = { readonly picture: string; readonly title: string; readonly text: string; readonly shows: string };

export const slides: readonly Slide[] = [
  {
    picture: 'markbook',
    title: 'A year group in one markbook',
    text: 'Every total of every class, coloured by how it compares. It is up to date while colleagues are still typing.',
    shows: 'The markbook of year 11: students’ names, their sets, and totals of four tests, each marked green, amber or red.',
  },
  {
    picture: 'preview',
    title: 'See what a spreadsheet would change',
    text: 'Upload the totals of a class or of all of them. Old and new marks stand side by side before anything is stored.',
    shows: 'The preview of an upload: for each student the total that stands there now, and the one that would replace it.',
  },
  {
    picture: 'contested',
    title: 'Nothing is overwritten in silence',
    text: 'Where two people disagree, both values are kept, with their authors. You decide, and may undo it next month.',
    shows: 'A total that two teachers entered differently: 35 and 38, each with a button to use it.',
  },
  {
    picture: 'questions',
    title: 'Every question has a story',
    text: 'How hard it was, and whether it tells strong from weak students: for each class, the year group and all students.',
    shows: 'The question analysis of a test: for each question a bar of its difficulty, and how well it discriminates.',
  },
  {
    picture: 'averages',
    title: 'Compare classes fairly',
    text: 'The mean of each class with its range: only a difference that chance does not explain is called one.',
    shows: 'The averages of the classes of year 11 in one test, each a bar with its range.',
  },
  {
    picture: 'task',
    title: 'From totals to grades',
    text: 'Rank a year group over several tests, let its teachers check, and allocate grades by a profile.',
    shows: 'The ranking of a feedback task: students in order with their scores.',
  },
  {
    picture: 'predictors',
    title: 'See what comes next',
    text: 'Progress predictors: how each student stands in each topic, also in those that were never tested.',
    shows: 'A table of students and topics of the scheme of work, each figure marked green, amber or red.',
  },
  {
    picture: 'revision',
    title: 'Hand out what to revise',
    text: 'Revision lists, feedback sheets and reports for each student, ready to print or on the phone.',
    shows: 'A revision list: questions of a test under topic headers, with a button to download it.',
  },
  {
    picture: 'joining',
    title: 'Set up in under 15 minutes',
    text: 'Register your school and give a year group its code: students open their own accounts with it. Free, for every school.',
    shows: 'A student who joins with a code picks their name from ten.',
  },
];
