import type { CsvRefusal } from '#api/contract/csv/file';
import { refusedUnread } from '#api/contract/csv/file';
import { parseTopicTree } from '#api/assessments/mapping/topics-file.contract';

/** A topic tree to choose from. */
export type Tree = { readonly title: string; readonly paths: readonly (readonly string[])[] };

/** The trees supplied with the product, in `public/topic_trees`. */
export const shippedTrees = [
  { title: 'GCSE Mathematics', file: 'gcse_mathematics.csv' },
  { title: 'GCSE Combined Science', file: 'gcse_combined_science.csv' },
  { title: 'GCSE English', file: 'gcse_english.csv' },
] as const;
export const TEMPLATE = 'topic_tree.csv';

export const addressOf = (file: string): string => `${import.meta.env.BASE_URL}topic_trees/${file}`;

/** @throws Error if it cannot be loaded */
export const shippedTree = async ({ title, file }: (typeof shippedTrees)[number]): Promise<Tree> => {
  const answer = await fetch(addressOf(file));
  if (!answer.ok) throw new Error('The topic tree could not be loaded. Try again.');
  const tree = parsed(title, file, new Uint8Array(await answer.arrayBuffer()));
  if ('message' in tree) throw new Error(tree.message);
  return tree;
};

/** The tree in a user's file, named after the file. */
export const treeInFile = async (file: File): Promise<Tree | CsvRefusal> =>
  refusedUnread(file) ?? parsed(file.name.replace(/\.csv$/i, ''), file.name, new Uint8Array(await file.arrayBuffer()));

const parsed = (title: string, name: string, bytes: Uint8Array): Tree | CsvRefusal => {
  const tree = parseTopicTree({ name, type: 'text/csv', bytes });
  return tree.ok ? { title, paths: tree.rows.map(({ path }) => path) } : tree;
};

/** The path from the root to each topic, as the command takes it. */
export const pathsOf = (
  topics: readonly { readonly topicId: string; readonly name: string; readonly parentId: string | null }[],
): readonly (readonly string[])[] => {
  const paths = new Map<string, readonly string[]>();
  for (const { topicId, name, parentId } of topics) paths.set(topicId, [...(parentId === null ? [] : (paths.get(parentId) ?? [])), name]);
  return [...paths.values()];
};

const keyOf = (path: readonly string[]): string => JSON.stringify(path.map((name) => name.normalize('NFC').toLowerCase()));

/** Every topic of the tree, inner ones included, as keys for comparison. */
export const keysIn = (paths: readonly (readonly string[])[]): ReadonlySet<string> =>
  new Set(paths.flatMap((path) => path.map((_, index) => keyOf(path.slice(0, index + 1)))));
