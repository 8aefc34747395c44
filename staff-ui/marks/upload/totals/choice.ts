import type { UploadClasses } from '#api/marks/upload/uploads.contract';
import { MAX_TESTS } from '#api/contract/limits';
import type { Structure } from '#api/school/school.contract';
import { some } from '../../../format.ts';
import type { Column } from '../PreviewTable.tsx';

export type UploadClass = UploadClasses['classes'][number];
/** The tests that the file's columns stand for, by set: the first is Test 1. */
export type Choice = Readonly<Record<string, readonly string[]>>;
export type Test = Structure['tests'][number];

/** A test takes totals once it has questions, because its maximum is their sum. */
export const usable = ({ max }: Test): boolean => max !== null;

/** The tests chosen for a class, and all others of the subject. */
export const testsOf = (
  { testIds }: Pick<UploadClass, 'testIds'>,
  tests: readonly Test[],
): { readonly ownTests: readonly Test[]; readonly others: readonly Test[] } => ({
  ownTests: testIds.flatMap((testId) => tests.find((test) => test.testId === testId) ?? []),
  others: tests.filter(({ testId }) => !testIds.includes(testId)),
});

/** The initial choice: the tests that are wanted, by the request or by the headings of the file, or the class's only one. */
export const firstChoice = (classes: readonly UploadClass[], tests: readonly Test[], wanted: readonly string[]): Choice =>
  Object.fromEntries(
    classes.map((one) => {
      const { ownTests } = testsOf(one, tests);
      const possible = (ownTests.length > 0 ? ownTests : tests).filter(usable);
      const usables = wanted.filter((testId) => tests.some((test) => test.testId === testId && usable(test)));
      if (usables.length > 0) return [one.setId, usables];
      return [one.setId, possible.length === 1 && possible[0] ? [possible[0].testId] : []];
    }),
  );

/** Adds a test as the next column, if there is room. */
export const added = (chosen: readonly string[], testId: string): readonly string[] | 'too many' => {
  if (chosen.includes(testId)) return chosen;
  return chosen.length === MAX_TESTS ? 'too many' : [...chosen, testId];
};

/** The same tests in the same order for every class, even where a class does not sit one: leaving it out would shift the columns. */
export const forAll = (classes: readonly UploadClass[], chosen: readonly string[]): Choice =>
  Object.fromEntries(classes.map(({ setId }) => [setId, chosen]));

export const sameForAll = (classes: readonly UploadClass[], choice: Choice): boolean =>
  new Set(classes.map(({ setId }) => (choice[setId] ?? []).join(' '))).size <= 1;

/** A warning about columns with totals but no test, and about classes without any test; undefined: nothing is left out. */
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

/** The preview's columns, as many as the class with the most tests has; described where all classes use the same test. */
export const columnsOf = (classes: readonly UploadClass[], choice: Choice, tests: readonly Test[]): readonly Column[] =>
  Array.from({ length: MAX_TESTS }, (_, column) => {
    const ids = new Set(classes.flatMap(({ setId }) => choice[setId]?.[column] ?? []));
    const names = [...ids].flatMap((id) => tests.find(({ testId }) => testId === id) ?? []);
    return {
      name: `Test ${column + 1}`,
      about: names.length === 1 && names[0] ? `${names[0].name} (of ${names[0].max})` : names.map(({ name }) => name).join(', '),
    };
  }).filter(({ about }) => about !== '');
