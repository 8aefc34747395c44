import type { Rag as Colour } from '#api/analysis/topics.formula';
import styles from './Rag.module.css';

type RagProps = {
  /** 0 to 100; null: nothing was asked yet. */
  readonly value: number | null;
  readonly rag: Colour | null;
};

/** A value as a ring that fills up, with its colour, a shape and a word. */
export const Rag = ({ value, rag }: RagProps) => (
  <span className={styles.rag} data-rag={rag ?? undefined}>
    <svg viewBox="0 0 44 44" width="44" height="44" aria-hidden="true">
      <circle className={styles.ground} cx="22" cy="22" r="19.5" />
      {value !== null && (
        <circle
          className={styles.ring}
          cx="22"
          cy="22"
          r="19.5"
          pathLength="100"
          strokeDasharray={`${Math.min(100, value)} 100`}
          transform="rotate(-90 22 22)"
        />
      )}
      {rag && <path className={styles.shape} d={SHAPES[rag]} />}
      <text x="22" y={rag ? 20 : 22} textAnchor="middle" dominantBaseline="central">
        {value ?? '–'}
      </text>
    </svg>
    <span className="sr">{value === null ? 'nothing asked yet' : `${value}, ${rag ?? 'no colour'}`}</span>
  </span>
);

/** Triangle up, dot, triangle down. */
export const SHAPES: Readonly<Record<Colour, string>> = {
  green: 'M22 29l4 6.5h-8z',
  amber: 'M19 32.5a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
  red: 'M22 36l-4-6.5h8z',
};

/** What the colours and shapes say. */
export const RagLegend = ({ amber, green }: { readonly amber: number; readonly green: number }) => (
  <ul className="row gap-4 small muted" aria-label="Signs">
    {(['green', 'amber', 'red'] as const).map((rag) => (
      <li key={rag} className="line gap-1" data-rag={rag}>
        <svg viewBox="14 26 16 13" width="16" height="13" aria-hidden="true">
          <path className={styles.shape} d={SHAPES[rag]} />
        </svg>
        {{ green: `green: above ${green}`, amber: `amber: above ${amber}`, red: 'red: the rest' }[rag]}
      </li>
    ))}
  </ul>
);
