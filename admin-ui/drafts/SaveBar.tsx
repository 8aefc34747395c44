import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Foot } from '../../ui/controls/Foot.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { counted } from '../format.ts';
import { SAVED } from './useDrafts.ts';

type SaveBarProps = {
  readonly label: string;
  /** How many records are changed. */
  readonly changed: number;
  readonly disabled: boolean;
  readonly saving: boolean;
  /** Everything has just been saved. */
  readonly done: boolean;
  /** Why nothing could be saved. */
  readonly refusal?: string | undefined;
  /** The number of changed records that are not on this page. */
  readonly elsewhere: number;
  readonly onSave: () => void;
};

/** The Save button of a list edited in place, with its message: always in sight. */
export const SaveBar = ({ label, changed, disabled, saving, done, refusal, elsewhere, onSave }: SaveBarProps) => (
  <Changes>
    <Foot isOnPage trouble={refusal !== undefined && <Notice tone="bad" title={refusal} />}>
      {done && <Notice tone="good" title={SAVED} />}
      {elsewhere > 0 && <span className="muted">{counted(elsewhere, 'change')} not on this page</span>}
      <Button look="primary" disabled={changed === 0 || disabled || saving} onClick={onSave}>
        {saving ? 'Saving…' : changed === 0 ? label : `${label} (${changed})`}
      </Button>
    </Foot>
  </Changes>
);
