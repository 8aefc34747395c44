import { Suspense, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { lazily } from '../lazily.ts';
import type { LegalText } from './Legal.tsx';
import styles from './Site.module.css';
import { useSite } from './useSite.ts';

/** Who runs this installation, and its legal texts. */
export const Footer = () => {
  const { operator = {}, licensedTo } = useSite() ?? {};
  const [open, setOpen] = useState<LegalText>();
  return (
    <footer className={`row apart muted small ${styles.footer}`}>
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
        <ul className="row gap-4">
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

/** Loads the texts when they are opened. */
export const LegalDialog = ({ open, onClose }: { readonly open: LegalText | undefined; readonly onClose: () => void }) =>
  open && (
    <Suspense fallback={null}>
      <Legal open={open} onClose={onClose} />
    </Suspense>
  );

const Legal = lazily(() => import('./Legal.tsx'), 'Legal');
