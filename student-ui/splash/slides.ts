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
    text: 'Where two people disagree about a mark, both values are kept, with their authors. You decide which one counts.',
    shows: 'A total that two teachers entered differently: 35 and 38, each with a button to use it.',
  },
  {
    picture: 'undo',
    title: 'Undo any upload',
    text: 'The wrong file, the wrong class? One click brings back what stood there before, today or next month.',
    shows: 'The list of recent uploads: file, author and time, and a button to undo each.',
  },
  {
    picture: 'history',
    title: 'Who changed what, and when',
    text: 'Every cell knows its history: each value it ever had, who entered it, and what was decided.',
    shows: 'The history of one student’s total: its values one below the other, with author and time.',
  },
  {
    picture: 'typing',
    title: 'Type a class in a minute',
    text: 'One number, Enter, the next student. What you have typed survives a lost connection.',
    shows: 'The form for totals by hand: the students of class 11X1 with one field each.',
  },
  {
    picture: 'sets',
    title: 'Find the student you want',
    text: 'Search a student, choose a set, sort by any test. Colour and shape say where each total stands.',
    shows: 'The markbook with its search, its choice of sets and its sorted columns, totals marked green, amber or red.',
  },
  {
    picture: 'as-of',
    title: 'Look at any earlier day',
    text: 'The markbook as it stood at the end of last term, or a minute before that upload.',
    shows: 'The markbook at an earlier moment, under a banner that says which moment it is.',
  },
  {
    picture: 'joining',
    title: 'Set up in under 15 minutes',
    text: 'Register your school and give a year group its code: students open their own accounts with it. Free, for every school.',
    shows: 'A student who joins with a code picks their name from ten.',
  },
];
