import { useMemo } from 'react';
import styles from './Chosen.module.css';
import type { TreeNode } from './tree.ts';
import { wayTo } from './tree.ts';

type ChosenProps = {
  readonly label: string;
  readonly nodes: readonly TreeNode[];
  readonly chosen: readonly string[];
  readonly onRemove: (id: string) => void;
};

/** What is bound to the item, each with a remove button. */
export const Chosen = ({ label, nodes, chosen, onRemove }: ChosenProps) => {
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const chosenNodes = chosen.flatMap((id) => byId.get(id) ?? []);
  if (chosenNodes.length === 0) return <p className={styles.none}>Nothing is allocated yet. Tick what fits below.</p>;
  return (
    <ul className={styles.chosen} aria-label={label}>
      {chosenNodes.map((node) => (
        <li key={node.id}>
          <span title={wayTo(node, byId)}>{node.name}</span>
          <button type="button" aria-label={`Remove ${node.name}`} onClick={() => onRemove(node.id)}>
            <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
              <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.8" />
            </svg>
          </button>
        </li>
      ))}
    </ul>
  );
};
