import { Button } from '../../../ui/controls/Button.tsx';
import type { MoveOn } from '../grid/grid-state.ts';
import type { Grid } from '../grid/useGrid.ts';
import { Keys } from './Keys.tsx';
import styles from './Sheet.module.css';
import { moveOns } from './useMoveOn.ts';
import type { SheetModel } from './model/useSheet.ts';

type ToolsProps = {
  readonly model: SheetModel;
  readonly grid: Grid;
  /** '28 of 30 students complete' */
  readonly progress: string;
  readonly moveOn: MoveOn;
  readonly setMoveOn: (to: MoveOn) => void;
  /** One student at a time. */
  readonly isPhone: boolean;
};

/** Above a sheet: how far it is, what it offers for what is missing, and how its keys work. */
export const Tools = ({ model, grid, progress: words, moveOn, setMoveOn, isPhone }: ToolsProps) => {
  const { blanks, progress, kind } = model;
  return (
    <div className={styles.tools}>
      <div className={styles.progress}>
        <span>{words}</span>
        <progress max={Math.max(1, progress.of)} value={progress.done} aria-hidden="true" />
      </div>
      {blanks.length > 0 && (
        <Button look="plain" onClick={() => grid.put(blanks.map((key) => ({ key, text: '0' })))}>
          {blanks.length === 1 ? 'Enter 0 for the 1 blank' : `Enter 0 for the ${blanks.length} blanks`}
        </Button>
      )}
      <span className={styles.space} />
      <Button look="plain" onClick={grid.undo} title="Ctrl+Z">
        Undo
      </Button>
      <Button look="plain" onClick={grid.redo} title="Ctrl+Y">
        Redo
      </Button>
      {(!isPhone || kind === 'total') && (
        <Keys kind={kind}>
          <label className={styles.moveOn}>
            {kind === 'total' ? 'After a full total' : 'After one digit'}
            <select value={moveOn} onChange={(event) => setMoveOn(moveOns.find((one) => one === event.target.value) ?? 'stay')}>
              <option value="stay">stay</option>
              {kind === 'marks' && <option value="right">right</option>}
              <option value="down">down</option>
            </select>
          </label>
        </Keys>
      )}
    </div>
  );
};
