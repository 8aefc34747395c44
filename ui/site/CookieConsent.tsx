import { useState, useSyncExternalStore } from 'react';
import { Button } from '../controls/Button.tsx';
import { readConsent, writeConsent, type Consent } from './consent.ts';
import styles from './Site.module.css';

/** Asks once every 30 days. Without consent only the session and this choice outlive the tab. */
export const CookieConsent = () => {
  const [consent, setConsent] = useState<Consent>();
  // Pre-rendered HTML cannot know the cookie: the banner appears once the script runs.
  const stored = useSyncExternalStore(unchanging, readConsent, () => 'unknown');
  if (consent ?? stored) return null;
  const choose = (choice: Consent) => {
    writeConsent(choice);
    setConsent(choice);
  };
  return (
    <section className={`row apart ${styles.consent}`} aria-label="Cookies">
      <p>One cookie keeps you logged in, and one this choice. If you accept, pages also remember how you like them.</p>
      <div className="row">
        <Button look="primary" onClick={() => choose('accepted')}>
          Accept
        </Button>
        <Button onClick={() => choose('declined')}>Decline non-essential</Button>
      </div>
    </section>
  );
};

const unchanging = () => () => undefined;
