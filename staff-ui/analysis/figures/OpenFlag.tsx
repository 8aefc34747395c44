import { counted } from '../../format.ts';
import styles from './Explanations.module.css';

/** Marks behind a figure of which several values stand, or which are above their maximum. */
export type OpenMarks = { readonly contested: number; readonly aboveMaximum: number };

type OpenFlagProps = {
  readonly open: OpenMarks | undefined;
  /** What it is about: 'Algebra'. */
  readonly of: string;
  /** Leads to where they are decided. */
  readonly onDecide: () => void;
};

/** Says that a figure rests on marks that are not settled, and leads to them. */
export const OpenFlag = ({ open, of, onDecide }: OpenFlagProps) => {
  if (!open) return null;
  const text = openText(open);
  return (
    <button type="button" className={`pick small strong ${styles.flag}`} aria-label={`${text}: see and decide, ${of}`} onClick={onDecide}>
      {text}
    </button>
  );
};

/** '2 marks with several values, 1 mark above its maximum' */
export const openText = ({ contested, aboveMaximum }: OpenMarks): string =>
  [
    contested > 0 && `${counted(contested, 'mark')} with several values`,
    aboveMaximum > 0 && `${counted(aboveMaximum, 'mark')} above ${aboveMaximum === 1 ? 'its' : 'their'} maximum`,
  ]
    .filter(Boolean)
    .join(', ');
