/** What Marktrail does, in nine pictures; the last one says what it takes to begin. Pictures are made from the demo school (docs/pictures). */
export type Slide = { readonly title: string; readonly text: string };

export const slides: readonly Slide[] = [
  {
    title: 'Every mark, by class and by question',
    text: 'Totals and question marks of a whole year group in one markbook, up to date while colleagues type.',
  },
  {
    title: 'Upload a spreadsheet, see what it would change',
    text: 'Each cell that would be replaced shows its old and its new mark before anything is stored.',
  },
  { title: 'Nothing is overwritten in silence', text: 'Two people in one cell both keep their mark, and are asked which one counts.' },
  { title: 'Undo any upload', text: 'Wrong file, wrong class? One click brings back what stood there, today or next month.' },
  { title: 'Who changed what, and when', text: 'Every cell knows its history: each mark, its author, its hour.' },
  { title: 'Type marks as fast as you can', text: 'A grid for the keyboard. What is typed survives a dropped connection.' },
  { title: 'See the class at a glance', text: 'Bands of red, amber and green, set by set, with mean and spread of every test.' },
  { title: 'Any screen, as of any day', text: 'Look at the markbook as it stood at the end of last term.' },
  { title: 'Set up in under 15 minutes', text: 'A year group, its classes and students from one file. Free, for every school.' },
];
