import type { ReactNode } from 'react';
import { createContext, use, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';

type Question = {
  readonly name: string;
  /** What would be taken back, as the server says it. */
  readonly text: string;
  /** How much, such as '300 marks'. */
  readonly amount: string;
  readonly undo: () => void;
};

const QuestionContext = createContext<((question: Question) => void) | undefined>(undefined);

/** Asks before an upload is undone that holds much, above whatever page or dialog its Undo is in. */
export const UndoQuestions = ({ children }: { readonly children: ReactNode }) => {
  const [question, setQuestion] = useState<Question>();
  const [isOpen, setOpen] = useState(false);
  const [ask] = useState(() => (next: Question) => {
    setQuestion(next);
    setOpen(true);
  });
  const close = () => setOpen(false);
  return (
    <QuestionContext value={ask}>
      {children}
      <Dialog title={`Undo ${question?.name ?? ''}?`} open={isOpen} onClose={close} isQuestion>
        <p className="pad">{question?.text} Redo brings all of it back.</p>
        <DialogFoot>
          <Button onClick={close}>Keep it</Button>
          <Button
            look="danger"
            onClick={() => {
              close();
              question?.undo();
            }}
          >
            Take back {question?.amount}
          </Button>
        </DialogFoot>
      </Dialog>
    </QuestionContext>
  );
};

export const useUndoQuestion = (): ((question: Question) => void) => {
  const ask = use(QuestionContext);
  if (!ask) throw new Error('There is no UndoQuestions above this component.');
  return ask;
};
