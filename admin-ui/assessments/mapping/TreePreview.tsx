import { counted } from '../../format.ts';
import type { Tree } from './trees.ts';
import { keysIn } from './trees.ts';
import styles from './TreeDialog.module.css';

/** The contents of a tree: its areas, each of which opens. */
export const TreePreview = ({ tree: { title, paths } }: { readonly tree: Tree }) => (
  <>
    <h3>{title}</h3>
    <p>{counted(keysIn(paths).size, 'topic')}</p>
    {[...Map.groupBy(paths, ([area = '']) => area)].map(([area, below]) => (
      <details key={area} className={styles.area}>
        <summary>
          {area} <small>{counted(below.length, 'topic')}</small>
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
