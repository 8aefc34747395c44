import { useSyncExternalStore } from 'react';
import { Button } from '../controls/Button.tsx';
import { Dialog, DialogFoot } from '../controls/Dialog.tsx';
import styles from './Ask.module.css';
import type { OpenQuestion } from './ask.ts';
import { openQuestion } from './ask.ts';

/** Where `ask` asks: Escape and Close keep things as they are. */
export const AskDialog = () => {
  const open = useSyncExternalStore(openQuestion.subscribe, openQuestion.now, openQuestion.now);
  return open && <QuestionDialog key={open.id} question={open} />;
};

const QuestionDialog = ({ question: { title, text, go, stay, answer } }: { readonly question: OpenQuestion }) => (
  <Dialog title={title} open onClose={() => answer(false)}>
    <p className={styles.text}>{text}</p>
    <DialogFoot>
      <Button onClick={(event) => answered(event.currentTarget, () => answer(false))}>{stay}</Button>
      <Button look="danger" onClick={(event) => answered(event.currentTarget, () => answer(true))}>
        {go}
      </Button>
    </DialogFoot>
  </Dialog>
);

/** Closed first, so that the focus is back where it was, and what follows can move it. */
const answered = (button: HTMLElement, answer: () => void) => {
  button.closest('dialog')?.close();
  answer();
};
