import { useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { LegalDialog } from './LegalDialog.tsx';
import type { LegalText } from './Legal.tsx';
import styles from './Site.module.css';
import { useSite } from './useSite.ts';

/** Who runs this installation, and its legal texts. */
export const Footer = () => {
  const { operator = {}, licensedTo } = useSite() ?? {};
  const [open, setOpen] = useState<LegalText>();
  return (
    <footer className={styles.footer}>
      <p>
        {[licensedTo && `Licensed to ${licensedTo}`, operator.name, operator.address].filter(Boolean).join(' · ')}
        {operator.email && (
          <>
            {' '}
            <a href={`mailto:${operator.email}`}>{operator.email}</a>
          </>
        )}
      </p>
      {operator.links && (
        <ul>
          {operator.links.map(({ name, url }) => (
            <li key={url}>
              <a href={url} rel="noreferrer">
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Button look="plain" onClick={() => setOpen('privacy')}>
          Privacy policy
        </Button>
        <Button look="plain" onClick={() => setOpen('terms')}>
          Terms and conditions
        </Button>
      </p>
      <LegalDialog open={open} onClose={() => setOpen(undefined)} />
    </footer>
  );
};
