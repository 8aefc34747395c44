import type { UploadClasses } from '#contract/marks';
import { MAX_TESTS } from '#contract/limits';
import type { Structure } from '#contract/structure';
import { some } from '../format.ts';

export type UploadClass = UploadClasses['classes'][number];
/** Which tests the file's columns are, class by class: the first is Test 1. */
export type Choice = Readonly<Record<string, readonly string[]>>;
export type Test = Structure['tests'][number];

/** A test can be uploaded to as soon as it has questions: its maximum is their sum. */
export const usable = ({ max }: Test): boolean => max !== null;

/** The tests that a class may choose from: those that are chosen for it, and all others of the subject. */
export const testsOf = (
  { testIds }: Pick<UploadClass, 'testIds'>,
  tests: readonly Test[],
): { readonly own: readonly Test[]; readonly others: readonly Test[] } => ({
  own: testIds.flatMap((testId) => tests.find((test) => test.testId === testId) ?? []),
  others: tests.filter(({ testId }) => !testIds.includes(testId)),
});

/** What is chosen at first: the test that the dialog was opened for, or the only one that the class has. */
export const firstChoice = (classes: readonly UploadClass[], tests: readonly Test[], asked: string | undefined): Choice =>
  Object.fromEntries(
    classes.map((one) => {
      const { own } = testsOf(one, tests);
      const possible = (own.length > 0 ? own : tests).filter(usable);
      const wanted = tests.find((test) => test.testId === asked && usable(test)) ?? (possible.length === 1 ? possible[0] : undefined);
      return [one.setId, wanted ? [wanted.testId] : []];
    }),
  );

/** Adds a test as the next column, or says that there is no room for it. */
export const added = (chosen: readonly string[], testId: string): readonly string[] | 'too many' => {
  if (chosen.includes(testId)) return chosen;
  return chosen.length === MAX_TESTS ? 'too many' : [...chosen, testId];
};

/** The same tests in the same order for every class: a test that one of them left out would move its columns. */
export const forAll = (classes: readonly UploadClass[], chosen: readonly string[]): Choice =>
  Object.fromEntries(classes.map(({ setId }) => [setId, chosen]));

export const sameForAll = (classes: readonly UploadClass[], choice: Choice): boolean =>
  new Set(classes.map(({ setId }) => (choice[setId] ?? []).join(' '))).size <= 1;

/** Columns of the file that hold totals but no test is chosen for them, in words; and classes that choose none at all. */
export const leftOut = (classes: readonly UploadClass[], choice: Choice, used: number): string | undefined => {
  const short = classes.filter(({ setId }) => (choice[setId] ?? []).length < used);
  if (short.length === 0) return undefined;
  const none = short.filter(({ setId }) => (choice[setId] ?? []).length === 0);
  if (none.length > 0 && none.length < classes.length)
    return `No test is selected for ${some(none.map(({ name }) => name))}: their totals will not be uploaded.`;
  if (none.length > 0) return undefined;
  return used === 1
    ? undefined
    : `The file has totals up to Test ${used}, but fewer tests are selected for ${some(short.map(({ name }) => name))}. The other columns will not be uploaded.`;
};
