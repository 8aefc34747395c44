/** Names that differ only in capitals, surrounding space or Unicode form count as the same: 11x1 and 11X1. */
export const sameName = (a: string, b: string): boolean => plain(a) === plain(b);

export const isAmong = (names: readonly string[], name: string): boolean => names.some((other) => sameName(other, name));

/** Index of the first name that repeats an earlier one, or -1. */
export const repeated = (names: readonly string[]): number => {
  const first = new Set<string>();
  return names.findIndex((name) => first.size === first.add(plain(name)).size);
};

/** Each name once, as it comes first. */
export const distinctNames = (names: readonly string[]): readonly string[] => {
  const first = new Map<string, string>();
  for (const name of names) if (!first.has(plain(name))) first.set(plain(name), name);
  return [...first.values()];
};

const plain = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Without accents, and in small letters: 'Łucja Fernández' is 'łucja fernandez'. */
export const unaccented = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** A student as staff see them. Both null: forgotten. */
export type NamedStudent = { readonly name: string | null; readonly admissionNo: string | null };
export const FORGOTTEN_STUDENT = 'Forgotten student';

/**
 * These students as staff are shown them together: who has the name of another one is called by it and the StudentID, 'Lee, Kay (M0012)'. Names are
 * the same whatever their capitals, accents and blanks. Not for pages of students: a StudentID is nobody else's business.
 * @param among all whom the page has, where only some of them are shown
 */
export const toldApart = <Student extends NamedStudent>(
  students: readonly Student[],
  among: readonly NamedStudent[] = students,
): readonly Student[] => {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, admissionNo } of among) {
    if (name === null || admissionNo === null) continue;
    const read = asRead(name);
    if ((first.get(read) ?? admissionNo) !== admissionNo) shared.add(read);
    first.set(read, admissionNo);
  }
  if (shared.size === 0) return students;
  return students.map((student) =>
    student.name !== null && shared.has(asRead(student.name)) ? { ...student, name: withStudentId(student) } : student,
  );
};

/** The same of all students of an answer. */
export const studentsToldApart = <Answer extends { readonly students: readonly NamedStudent[] }>(answer: Answer): Answer => {
  const students = toldApart(answer.students);
  return students === answer.students ? answer : { ...answer, students };
};

/** 'Lee, Kay (M0012)' */
export const withStudentId = ({ name, admissionNo }: NamedStudent): string =>
  `${name ?? FORGOTTEN_STUDENT}${admissionNo === null ? '' : ` (${admissionNo})`}`;

/** Under the name on paper: '11X1 · StudentID M0012' */
export const ofStudent = (set: { readonly name: string }, { admissionNo }: NamedStudent): string =>
  [set.name, ...(admissionNo === null ? [] : [`StudentID ${admissionNo}`])].join(' · ');

const asRead = (name: string): string => unaccented(name).replaceAll(/\s/gu, '');

/** Whether each word of a search is part of a text. Ignores accents and case: 'fernandez' finds Fernández. */
export const isFound = (text: string, search: string): boolean => {
  const all = unaccented(text);
  return unaccented(search)
    .split(/\s+/u)
    .every((word) => all.includes(word));
};
