import { bestMatches } from '#api/assessments/mapping/similarity.formula';
import { useId, useMemo } from 'react';
import styles from './Suggestions.module.css';
import type { TreeNode } from './tree.ts';
import { wayTo } from './tree.ts';

export const DEFAULT_SUGGESTIONS = 5;

type SuggestionsProps = {
  /** The name to find similar candidates for. */
  readonly name: string;
  readonly nodes: readonly TreeNode[];
  readonly chosen: readonly string[];
  readonly onToggle: (id: string) => void;
  readonly count: number;
  readonly onCount: (count: number) => void;
};

/** The candidates with the most similar wording, each with its similarity, and a slider for their number. */
export const Suggestions = ({ name, nodes, chosen, onToggle, count, onCount }: SuggestionsProps) => {
  const id = useId();
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const candidates = useMemo(() => nodes.filter(({ heading }) => !heading), [nodes]);
  const matches = useMemo(() => bestMatches(name, candidates, (one) => one.topic ?? one.name), [name, candidates]);
  const most = Math.max(1, candidates.length);
  return (
    <section className="stack" aria-label="AI suggestions">
      <div className={`line gap-3 ${styles.slider}`}>
        <label htmlFor={id} className="small strong rigid">
          AI suggestions
        </label>
        <input
          id={id}
          type="range"
          min={1}
          max={most}
          value={Math.min(count, most)}
          onChange={(event) => onCount(event.target.valueAsNumber)}
        />
        <output htmlFor={id} className="figure">
          {Math.min(count, most)}
        </output>
      </div>
      <ul className={styles.list}>
        {matches.slice(0, count).map(({ candidate, percent }) => (
          <li key={candidate.id}>
            <label className={`line gap-3 ${styles.suggestion}`}>
              <input type="checkbox" checked={chosen.includes(candidate.id)} onChange={() => onToggle(candidate.id)} />
              <span className="grow">
                {candidate.name}
                {candidate.parentId !== null && (
                  <small className={`muted tiny ${styles.way}`}>{wayTo(byId.get(candidate.parentId) ?? candidate, byId)}</small>
                )}
              </span>
              <span className="muted figure rigid">{percent}% match</span>
            </label>
          </li>
        ))}
      </ul>
      {matches.length < count && (
        <p className="muted">
          {matches.length === 0 ? 'Nothing has similar wording.' : 'Nothing else has similar wording.'} Search the list beside or below
          instead.
        </p>
      )}
    </section>
  );
};
