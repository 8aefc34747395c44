import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { QrCode } from '../../../ui/controls/QrCode.tsx';
import styles from './Tracker.module.css';

/** Reminds students of an assessment: the address of the page where they submit, to be sent, or to be scanned from the board. */
export const Remind = ({ testId }: { readonly testId: string }) => {
  const [notice, setNotice] = useState('');
  const [isShown, setShown] = useState(false);
  const address = `${location.origin}/student/submit?test=${testId}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setNotice('The link is copied: send it to the class.');
    } catch {
      // A browser that refuses, and every page that is not https://: the address is there to be copied by hand.
      setNotice('This browser does not let pages copy: select the address and copy it.');
      setShown(true);
    }
  };
  return (
    <section className="stack gap-3" aria-label="Remind the class">
      <div className="row">
        <span>Remind the class:</span>
        <Button onClick={() => void copy()}>Copy link</Button>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide QR code' : 'Show QR code'}
        </Button>
        <span role="status" className="muted">
          {notice}
        </span>
      </div>
      {isShown && (
        <div className="row gap-4">
          <QrCode className={styles.qr} text={address} label="QR code of the page where students submit; its address is beside it" />
          <code className={`small breaks ${styles.code}`}>{address}</code>
        </div>
      )}
    </section>
  );
};
