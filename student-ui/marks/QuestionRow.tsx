import type { KeyboardEvent } from 'react';
import { useId } from 'react';
import type { Entered, MarkStep } from './own-mark-drafts.ts';
import { markSteps } from './own-mark-drafts.ts';
import styles from './Submit.module.css';

type QuestionRowProps = {
  readonly question: Entered;
  readonly text: string;
  readonly wrong: string | undefined;
  /** Nothing can be changed now. */
  readonly isFixed: boolean;
  readonly onType: (text: string) => void;
  readonly onStep: (step: MarkStep) => void;
  readonly onNext: () => void;
};

const BUTTONS = { min: 'Min', minus: '−', plus: '+', max: 'Max' } as const;
const NAMES = { min: 'Min', minus: 'One less', plus: 'One more', max: 'Max' } as const;

export const QuestionRow = ({ question, text, wrong, isFixed, onType, onStep, onNext }: QuestionRowProps) => {
  const id = useId();
  const { number, topic, max, mark } = question;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp') onStep('plus');
    else if (event.key === 'ArrowDown') onStep('minus');
    else if (event.key === 'Enter') onNext();
    else return;
    event.preventDefault();
  };
  const button = (step: MarkStep) => {
    const isOff = isFixed || markSteps[step](mark, max) === mark;
    return (
      <button
        type="button"
        aria-label={`${NAMES[step]}, question ${number}`}
        // It keeps the focus, which a disabled button loses.
        aria-disabled={isOff}
        onClick={() => {
          if (!isOff) onStep(step);
        }}
      >
        {BUTTONS[step]}
      </button>
    );
  };
  return (
    <li className={styles.question} data-wrong={wrong !== undefined || undefined}>
      <label htmlFor={id}>
        {/* Topics are not kept on the device. */}
        <span className={topic === '' ? 'muted' : 'sr'}>Question</span> <strong>{number}</strong> <span className="muted">{topic}</span>
      </label>
      <div className={`row gap-1 ${styles.controls}`}>
        {button('min')}
        {button('minus')}
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="next"
          value={text}
          readOnly={isFixed}
          aria-invalid={wrong === undefined ? undefined : true}
          aria-describedby={`${id}-about`}
          onChange={(event) => onType(event.target.value)}
          onFocus={(event) => event.target.select()}
          onKeyDown={onKeyDown}
        />
        {button('plus')}
        {button('max')}
      </div>
      <span id={`${id}-about`} className={`muted small ${styles.about}`}>
        of {max}
        {wrong !== undefined && <span className="failed"> {wrong}</span>}
      </span>
    </li>
  );
};
