import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';

type ShownOnceProps = {
  readonly title: string;
  /** What is copied. */
  readonly text: string;
  readonly notCopied: string;
  /** Another button. */
  readonly more?: ReactNode;
  readonly kept: string;
  readonly onKept: () => void;
  readonly children: ReactNode;
};

/** A secret that the server cannot show again. */
export const ShownOnce = ({ title, text, notCopied, more, kept, onKept, children }: ShownOnceProps) => {
  const [status, setStatus] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setStatus('Copied.'),
      () => setStatus(notCopied),
    );
  };
  return (
    <>
      <Notice tone="good" title={title} />
      {children}
      <div className="row gap-3">
        <Button onClick={copy}>Copy</Button>
        {more}
        <Button look="primary" onClick={onKept}>
          {kept}
        </Button>
        <span role="status">{status}</span>
      </div>
    </>
  );
};
