import { dateText } from '#api/contract/dates';
import type { CellHistory, Value } from '#api/marks/marks.contract';
import { dateTime } from '../../../format.ts';
import styles from './CellDialog.module.css';

type Change = CellHistory['changes'][number];

/** Who entered what, newest first, including undone and replaced values. */
export const History = ({ title, changes }: { readonly title: string; readonly changes: readonly Change[] }) => (
  <section className={styles.history} aria-label={title}>
    <h3>{title}</h3>
    {changes.length === 0 && <p className="small muted">Nothing has been entered here yet.</p>}
    <ol className="ruled">
      {changes.toReversed().map((change) => (
        <li key={`${change.commandId} ${change.at}`} className="breaks">
          <b className={change.undone ? 'struck' : undefined}>{valueText(change.is)}</b>
          <div>
            <p className={change.undone ? 'struck' : undefined}>
              {change.agrees
                ? `Also entered by ${change.by ?? 'somebody who was forgotten'}, who`
                : (change.by ?? 'Somebody who was forgotten')}{' '}
              {how(change)}
              {!change.agrees && change.was.length > 0 && (
                <span className="small muted"> (was {change.was.map(valueText).join(' and ')})</span>
              )}
            </p>
            <p className="small muted">
              <time dateTime={change.at}>{dateTime(change.at)}</time>
              {` · ${changeStatus(change)}`}
            </p>
          </div>
        </li>
      ))}
    </ol>
  </section>
);

const changeStatus = ({ undone, head, confirmed }: Change): string => {
  if (undone) return 'undone';
  if (head) return 'current';
  return confirmed ? 'confirmed since' : 'replaced since';
};

const how = ({ how: way, fileName, satOn }: Change): string =>
  ({
    upload: `uploaded ${fileName ?? 'it'}${satOn === null ? '' : ` as sat on ${dateText(satOn)}`}`,
    typed: 'typed it',
    decided: 'decided',
  })[way];

/** A mark as text for the user. */
export const valueText = (value: Value): string => (value === 'sat' ? 'sat it' : String(value));
