import { MAX_TESTS } from '#api/contract/limits';
import type { Column } from '../PreviewTable.tsx';
import type { Choice, Test, UploadClass } from './choice.ts';

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
