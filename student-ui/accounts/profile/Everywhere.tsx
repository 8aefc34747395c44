import { sentence } from '../../../ui/api/failure.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import styles from './Profile.module.css';

/** Actions on the whole account. */
export const Everywhere = () => {
  const { send, pending, error } = useSend({
    act: (_: void) => askAuth('/profile/sign-out-everywhere', {}),
    onDone: () => location.replace('/login'),
    showsError: true,
  });
  return (
    <section className={styles.everywhere} aria-label="Your account">
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
      <a className={buttonClass()} href="/api/door/profile/data" download="my-data.json">
        Download my data
      </a>
      <Button disabled={pending} onClick={() => void send()}>
        Log out everywhere
      </Button>
    </section>
  );
};
