import type { CsvRefusal } from '#api/contract/csv/file';
import type { Mappings } from '#api/assessments/mapping/mapping.contract';
import { matchPercent } from '#api/assessments/mapping/similarity.formula';
import { Button } from '@mui/material';
import { useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { FilePicker } from '../../../ui/file/FilePicker.tsx';
import type { Tree } from './trees.ts';
import { addressOf, keysIn, pathsOf, shippedTree, shippedTrees, TEMPLATE, treeInFile } from './trees.ts';
import styles from './TreeDialog.module.css';
import { counted } from '../../format.ts';

type TreeDialogProps = {
  readonly subject: { readonly subjectId: string; readonly name: string };
  /** The current tree. */
  readonly now: Mappings | undefined;
  readonly onClose: () => void;
};

/** Chooses the topic tree of a subject: a supplied one or a file. It is previewed before it is used. */
export const TreeDialog = ({ subject, now, onClose }: TreeDialogProps) => {
  const [tree, setTree] = useState<Tree>();
  const [file, setFile] = useState<File>();
  const [refusal, setRefusal] = useState<CsvRefusal>();
  const [error, setError] = useState<unknown>();
  const show = async (load: () => Promise<Tree | CsvRefusal>) => {
    setRefusal(undefined);
    setError(undefined);
    setTree(undefined);
    try {
      const loaded = await load();
      if ('message' in loaded) setRefusal(loaded);
      else setTree(loaded);
    } catch (cause) {
      setError(cause);
    }
  };
  const trees = shippedTrees.toSorted((a, b) => matchPercent(subject.name, b.title) - matchPercent(subject.name, a.title));
  return (
    <Dialog title={`Topic tree of ${subject.name}`} open onClose={onClose} size="wide">
      <div className={styles.body}>
        <section className="stack gap-3" aria-label="Choose a tree">
          <h3>Use a tree that comes with Marktrail</h3>
          {trees.map((one) => (
            <Button
              key={one.file}
              variant="outlined"
              onClick={() => {
                setFile(undefined);
                void show(() => shippedTree(one));
              }}
            >
              Use the {one.title} tree
            </Button>
          ))}
          <h3>Or import one of your own</h3>
          <FilePicker
            file={file}
            onFile={(one) => {
              setFile(one);
              void show(() => treeInFile(one));
            }}
            template={addressOf(TEMPLATE)}
          >
            or{' '}
            <a href={addressOf(trees[0]?.file ?? TEMPLATE)} download>
              start from the {trees[0]?.title} tree
            </a>
            . It has a row for each topic, with the names of the levels above it in the columns Level 1, Level 2 and Level 3.
          </FilePicker>
        </section>
        <section className="stack gap-3" aria-label="Preview">
          {refusal && (
            <Notice tone="bad" title={refusal.message}>
              {refusal.detail && <p>{refusal.detail}</p>}
            </Notice>
          )}
          {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
          {tree && <TreePreview tree={tree} />}
          {tree && <Leftover now={now} tree={tree} />}
          {!tree && !refusal && error === undefined && <p className="muted">Choose a tree to see what is in it.</p>}
        </section>
      </div>
      <DialogFoot>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <UseTree subjectId={subject.subjectId} tree={tree} before={now?.tree ?? undefined} onUsed={onClose} />
      </DialogFoot>
    </Dialog>
  );
};

/** Allocations to topics that the new tree does not have. */
const Leftover = ({ now, tree }: { readonly now: Mappings | undefined; readonly tree: Tree }) => {
  if (!now?.tree) return null;
  const there = keysIn(tree.paths);
  const paths = pathsOf(now.tree.topics);
  const leaving = new Set(
    now.tree.topics.filter((_, index) => !there.has([...keysIn([paths[index] ?? []])].at(-1) ?? '')).map(({ topicId }) => topicId),
  );
  const bound = [
    ...now.schemes.flatMap(({ topics }) => topics.map(({ topicIds }) => topicIds)),
    ...now.tests.flatMap(({ questions }) => questions.map(({ topicIds }) => topicIds)),
  ].filter((topicIds) => topicIds.some((id) => leaving.has(id)));
  if (bound.length === 0) return null;
  return (
    <Notice tone="warn" title={`${bound.length} of your allocations lead to topics that are not in this tree.`}>
      They are kept, do not count while this tree is in use, and return when a tree has those topics again.
    </Notice>
  );
};

type UseTreeProps = {
  readonly subjectId: string;
  readonly tree: Tree | undefined;
  readonly before: NonNullable<Mappings['tree']> | undefined;
  readonly onUsed: () => void;
};

/** `instead`: the tree that was in use. */
type Choice = { readonly chosen: Tree; readonly instead: Tree | undefined };

const UseTree = ({ subjectId, tree, before, onUsed }: UseTreeProps) => {
  const instead = before && { title: before.title, paths: pathsOf(before.topics) };
  const { send, pending } = useCommand('ReplaceTopicTree', {
    input: ({ chosen }: Choice) => inputOf(subjectId, chosen),
    notice: (_answer, { chosen: { title } }) => `The ${title} tree is in use.`,
    undo: (_answer, { instead }) => instead && ((command) => command('ReplaceTopicTree', inputOf(subjectId, instead))),
    onDone: onUsed,
  });
  return (
    <Button variant="contained" disabled={!tree || pending} onClick={() => tree && void send({ chosen: tree, instead })}>
      {pending ? 'Saving…' : 'Use this tree'}
    </Button>
  );
};

const inputOf = (subjectId: string, { title, paths }: Tree) => ({ subjectId, title, paths: paths.map((path) => [...path]) });

/** The contents of a tree: its areas, each of which opens. */
const TreePreview = ({ tree: { title, paths } }: { readonly tree: Tree }) => (
  <>
    <h3>{title}</h3>
    <p>{counted(keysIn(paths).size, 'topic')}</p>
    {[...Map.groupBy(paths, ([area = '']) => area)].map(([area, below]) => (
      <details key={area} className={styles.area}>
        <summary>
          {area} <small className="muted">{counted(below.length, 'topic')}</small>
        </summary>
        <ul>
          {below.map((path) => (
            <li key={path.join('/')}>{path.slice(1).join(' › ') || area}</li>
          ))}
        </ul>
      </details>
    ))}
  </>
);
