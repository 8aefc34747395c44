import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import styles from '../Steps.module.css';

/** What was typed and cannot be stored now, for its author to read and copy. */
export const TypedText = ({ lines }: { readonly lines: readonly string[] }) => {
  const [message, setSaid] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(lines.join('\n')).then(
      () => setSaid('Copied.'),
      // A browser that refuses, and every page that is not https://.
      () => setSaid('This browser does not let pages copy: select the text and copy it.'),
    );
  };
  return (
    <div className="stack">
      <ul className={styles.warnings}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="row">
        <Button onClick={copy}>Copy what I typed</Button>
        <span role="status" className="muted small">
          {message}
        </span>
      </p>
    </div>
  );
};
