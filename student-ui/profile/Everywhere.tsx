import { useState } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { askDoor } from '../form/ask.ts';
import styles from './Profile.module.css';

/** Actions on the whole account. */
export const Everywhere = () => {
  const [failure, setFailure] = useState<string>();
  const signOut = () => {
    askDoor('/profile/sign-out-everywhere', {}).then(
      () => location.replace('/login'),
      (error: unknown) => setFailure(sentence(error)),
    );
  };
  return (
    <section className={styles.everywhere} aria-label="Your account">
      {failure && <Notice tone="bad" title={failure} />}
      <a className={buttonClass()} href="/api/door/profile/data" download="my-data.json">
        Download my data
      </a>
      <Button onClick={signOut}>Log out everywhere</Button>
    </section>
  );
};
