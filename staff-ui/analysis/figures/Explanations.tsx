import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import styles from './Explanations.module.css';

/** The explanation of a figure. `body` asks for its data itself, so that it stays up to date while it is open. */
export type Explanation = { readonly id: string; readonly title: string; readonly body: ReactNode };

const ExplainContext = createContext<(explanation: Explanation) => void>(() => undefined);

/** Opens the explanation of a figure; within an explanation, that of a figure it rests on. */
export const useExplain = () => use(ExplainContext);

/** Holds the dialog in which the figures of a page explain themselves, step by step down to a mark and who entered it. */
export const Explanations = ({ children }: { readonly children: ReactNode }) => {
  const [path, setPath] = useState<readonly Explanation[]>([]);
  const [isOpen, setOpen] = useState(false);
  const start = useCallback((explanation: Explanation) => {
    setPath([explanation]);
    setOpen(true);
  }, []);
  const deeper = useCallback((explanation: Explanation) => setPath((before) => [...before, explanation]), []);
  const [at, before] = [path.at(-1), path.at(-2)];
  return (
    <ExplainContext value={start}>
      {children}
      {at && (
        <Dialog size="fit" title={at.title} open={isOpen} onClose={() => setOpen(false)}>
          <ExplainContext value={deeper}>
            <Step key={path.map(({ id }) => id).join(' ')} isFirst={path.length === 1}>
              {before && (
                <Button look="plain" className={styles.back} onClick={() => setPath((all) => all.slice(0, -1))}>
                  ← Back to {before.title}
                </Button>
              )}
              {at.body}
            </Step>
          </ExplainContext>
        </Dialog>
      )}
    </ExplainContext>
  );
};

/** A new step is read from its title, because the button that led to it is gone. */
const Step = ({ isFirst, children }: { readonly isFirst: boolean; readonly children: ReactNode }) => {
  const step = useRef<HTMLDivElement>(null);
  const wasFirst = useRef(isFirst);
  useEffect(() => {
    const title = step.current?.closest('dialog')?.querySelector('h2');
    if (!wasFirst.current || !title?.closest('dialog')?.contains(document.activeElement)) title?.focus();
  }, []);
  return (
    <div ref={step} className="stack gap-4 pad">
      {children}
    </div>
  );
};
