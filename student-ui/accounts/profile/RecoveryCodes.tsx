import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import styles from './Profile.module.css';

/** Recovery codes, shown once: the server cannot show them again. */
export const RecoveryCodes = ({ codes, done }: { readonly codes: readonly string[]; readonly done: () => void }) => {
  const [copied, setCopied] = useState<boolean>();
  const copy = () => {
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <>
      <Notice tone="good" title="Keep these recovery codes now: they are not shown again." />
      <p>Each of them lets you in once, should your phone be lost. Keep them where you keep other important papers.</p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button onClick={copy}>Copy</Button>
        <Button onClick={() => window.print()}>Print</Button>
        <Button look="primary" onClick={done}>
          I have kept them
        </Button>
        <span role="status">{copied === undefined ? '' : copied ? 'Copied.' : 'They could not be copied: write them down.'}</span>
      </div>
    </>
  );
};
