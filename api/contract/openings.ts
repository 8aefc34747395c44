/** The element of a page with what it asks first, in JSON. */
export const OPENING_BLOCK = 'opening';
/** The cookie with the subject that somebody has chosen in this browser: a hint for what to ask, no right to it. */
export const SUBJECT_COOKIE = 'marktrail-subject';

/** A year group of more students comes page by page: the server filters and sorts. */
export const MOST_AT_ONCE = 2_000;
export const isLargeYear = (sets: readonly { readonly students: number }[]): boolean =>
  sets.reduce((sum, { students }) => sum + students, 0) > MOST_AT_ONCE;

/** What the address of a page means for who opens it, as ids. What is not known is left out. */
export type OpeningPlace = {
  readonly subjectId: string;
  readonly yearGroupId?: string | undefined;
  /** The class in the address. */
  readonly setId?: string | undefined;
  /** The class that the page is about: that one, or the only one of the year group. */
  readonly only?: string | undefined;
  /** The year group comes page by page: its page asks for what the address says. */
  readonly isLarge?: boolean | undefined;
  /** The assessment in the address. */
  readonly testId?: string | undefined;
};
type At = OpeningPlace;

const structure = ({ subjectId }: At) => [['structure', { subjectId }] as const];
const markbook = ({ yearGroupId, setId, isLarge }: At) =>
  yearGroupId === undefined || (setId === undefined && isLarge)
    ? []
    : [['markbook', setId === undefined ? { yearGroupId } : { yearGroupId, setId }] as const];
const predictors = ({ setId }: At) => (setId === undefined ? [] : [['progress-predictors', { setId }] as const]);
const questions = ({ testId, yearGroupId }: At) =>
  testId === undefined || yearGroupId === undefined ? [] : [['question-analysis', { testId, yearGroupId }] as const];
const sheet = ({ setId, testId }: At) => (setId === undefined || testId === undefined ? [] : [['sheet', { setId, testId }] as const]);
const prior = ({ subjectId, yearGroupId }: At) =>
  yearGroupId === undefined ? [] : [['prior-summary', { subjectId, yearGroupId }] as const];
const figures = (at: At) => [
  ...markbook({ ...at, setId: at.only }),
  ...(at.only === undefined ? [] : [['class-home', { setId: at.only }] as const]),
];
const tasksOfClass = ({ only }: At) => (only === undefined ? [] : [['tasks', { setId: only }] as const]);
const ofYear = ({ yearGroupId }: At) =>
  yearGroupId === undefined ? [] : [['tasks', { yearGroupId }] as const, ['leader-dashboard', { yearGroupId }] as const];

/** What each page asks first of somebody in the area of their own role, by its path. Any other page asks when it is there. */
export const openings = {
  '/student': ({ subjectId }: At) => [['student-home', { subjectId }] as const, ['to-submit', {}] as const, ['student-tasks', {}] as const],
  '/teacher': (at: At) => [...structure(at), ...figures(at), ...tasksOfClass(at)],
  '/teacher/markbook': (at: At) => [...structure(at), ...markbook(at)],
  '/teacher/predictors': (at: At) => [...structure(at), ...predictors(at)],
  '/teacher/questions': (at: At) => [...structure(at), ...questions(at)],
  '/teacher/marks': (at: At) => [...structure(at), ...sheet(at)],
  '/leader': (at: At) => [...structure(at), ...figures(at), ...ofYear(at)],
  '/leader/markbook': (at: At) => [...structure(at), ...markbook(at)],
  '/leader/predictors': (at: At) => [...structure(at), ...predictors(at)],
  '/leader/questions': (at: At) => [...structure(at), ...questions(at)],
  '/leader/marks': (at: At) => [...structure(at), ...sheet(at)],
  '/leader/prior': (at: At) => [...structure(at), ...prior(at)],
};
export type OpeningName = ReturnType<(typeof openings)[keyof typeof openings]>[number][0];

type Sets = readonly { readonly setId: string; readonly name: string; readonly mayWrite: boolean; readonly students: number }[];
type Subject = {
  readonly yearGroups: readonly { readonly yearGroupId: string; readonly year: number; readonly sets: Sets }[];
  readonly tests: readonly { readonly testId: string }[];
};

/** What an address names in a subject, for its reader: as the page will find. Teachers start from their own classes. */
export const placeIn = ({ yearGroups, tests }: Subject, role: string, search: URLSearchParams): Omit<OpeningPlace, 'subjectId'> => {
  const shown = yearGroups
    .map((group) => ({ ...group, sets: role === 'teacher' ? group.sets.filter(({ mayWrite }) => mayWrite) : group.sets }))
    .filter(({ sets }) => role !== 'teacher' || sets.length > 0);
  const group = shown.find(({ year }) => String(year) === search.get('year')) ?? shown.find(({ sets }) => sets.length > 0) ?? shown[0];
  const setId = group?.sets.find(({ name }) => name === search.get('set'))?.setId;
  return {
    yearGroupId: group?.yearGroupId,
    setId,
    isLarge: isLargeYear(group?.sets ?? []),
    only: setId ?? (group?.sets.length === 1 ? group.sets[0]?.setId : undefined),
    testId: tests.find(({ testId }) => testId === search.get('test'))?.testId,
  };
};
