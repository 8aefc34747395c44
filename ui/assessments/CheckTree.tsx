import type { KeyboardEvent } from 'react';
import { useMemo, useRef, useState } from 'react';
import { Field } from '../controls/Field.tsx';
import styles from './CheckTree.module.css';
import type { TreeLine, TreeNode } from './tree.ts';
import { ancestorsOf, linesOf, moveOf } from './tree.ts';

type CheckTreeProps = {
  readonly label: string;
  readonly nodes: readonly TreeNode[];
  readonly chosen: readonly string[];
  readonly onToggle: (id: string) => void;
};

/** A tree with a tick box per topic: searchable, one tab stop, arrow keys move and open, Space ticks. */
export const CheckTree = ({ label, nodes, chosen, onToggle }: CheckTreeProps) => {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(() => around(nodes, chosen));
  const [current, setCurrent] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const lines = useMemo(() => linesOf(nodes, open, search), [nodes, open, search]);
  const at = Math.max(
    0,
    lines.findIndex(({ node }) => node.id === current),
  );

  const toggleOpen = (id: string) =>
    setOpen((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])));
  const act = ({ node, hasChildren }: TreeLine) => {
    setCurrent(node.id);
    if (!node.heading) onToggle(node.id);
    else if (hasChildren) toggleOpen(node.id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const line = lines[at];
    if (!line) return;
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      act(line);
      return;
    }
    const move = moveOf(event.key, lines, at);
    if (!move) return;
    event.preventDefault();
    if ('toggle' in move) return toggleOpen(move.toggle);
    setCurrent(lines[move.focus]?.node.id);
    list.current?.children.item(move.focus)?.querySelector('span')?.scrollIntoView({ block: 'nearest' });
    const next = list.current?.children.item(move.focus);
    if (next instanceof HTMLElement) next.focus();
  };

  return (
    <div className="stack">
      <Field label={`Search ${label.toLowerCase()}`} type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      {lines.length === 0 && <p className="muted">No topic found. Try fewer words.</p>}
      {lines.length > 0 && (
        <ul ref={list} role="tree" aria-label={label} aria-multiselectable="true" className={`box ${styles.lines}`} onKeyDown={onKeyDown}>
          {lines.map((line, index) => (
            <Line
              key={line.node.id}
              line={line}
              isChosen={chosen.includes(line.node.id)}
              tabIndex={index === at ? 0 : -1}
              onAct={() => act(line)}
              onOpen={() => toggleOpen(line.node.id)}
              onFocus={() => setCurrent(line.node.id)}
            />
          ))}
        </ul>
      )}
    </div>
  );
};

type LineProps = {
  readonly line: TreeLine;
  readonly isChosen: boolean;
  readonly tabIndex: number;
  readonly onAct: () => void;
  readonly onOpen: () => void;
  readonly onFocus: () => void;
};

const Line = ({ line: { node, level, hasChildren, open, place, siblings }, isChosen, tabIndex, onAct, onOpen, onFocus }: LineProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree hears the keys of its lines
  <li
    role="treeitem"
    aria-level={level}
    aria-setsize={siblings}
    aria-posinset={place}
    aria-expanded={hasChildren ? open : undefined}
    aria-checked={node.heading ? undefined : isChosen}
    aria-selected={node.heading ? undefined : isChosen}
    tabIndex={tabIndex}
    className={`line ${styles.line}`}
    data-level={level}
    onClick={onAct}
    onFocus={onFocus}
  >
    <span
      className={styles.opener}
      aria-hidden="true"
      data-open={hasChildren ? open : undefined}
      onClick={(event) => {
        if (!hasChildren) return;
        event.stopPropagation();
        onOpen();
      }}
    />
    {!node.heading && <span className={styles.box} aria-hidden="true" />}
    <span>{node.name}</span>
  </li>
);

/** Chosen topics are visible at first; a short tree starts fully open. */
const around = (nodes: readonly TreeNode[], chosen: readonly string[]): ReadonlySet<string> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  if (nodes.length <= SHORT) return new Set(byId.keys());
  return new Set(chosen.flatMap((id) => ancestorsOf(byId.get(id) ?? { id, name: '', parentId: null }, byId)));
};

const SHORT = 25;
