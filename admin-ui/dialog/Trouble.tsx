import { Button } from '@mui/material';
import { useFormContext } from 'react-hook-form';
import { useInSight } from '../../ui/file/brought/useInSight.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import type { SaveTrouble } from './useSaveRecord.ts';

/** Shown above the fields of a form: why it could not be saved, and how to continue. A long form is scrolled to it. */
export const Trouble = ({ trouble }: { readonly trouble: SaveTrouble | undefined }) => (
  <div ref={useInSight<HTMLDivElement>(trouble?.kind)}>
    <Why trouble={trouble} />
  </div>
);

const Why = ({ trouble }: { readonly trouble: SaveTrouble | undefined }) => {
  const form = useFormContext();
  switch (trouble?.kind) {
    case undefined:
      return null;
    case 'changed':
      return (
        <Changed
          onReload={() => {
            form.reset(trouble.now);
            trouble.take();
          }}
        />
      );
    case 'gone':
      return <Gone />;
    case 'refused':
      return <Notice tone="bad" title={trouble.sentence} />;
  }
};

/** Somebody else has changed the record; `onReload` replaces the user's input with the stored values. */
export const Changed = ({ onReload }: { readonly onReload: () => void }) => (
  <Notice
    tone="warn"
    title="Somebody else has changed this meanwhile."
    actions={
      <Button size="small" onClick={onReload}>
        Show what it says now
      </Button>
    }
  >
    What you typed is still here. Save to store it in place of theirs.
  </Notice>
);

export const Gone = () => (
  <Notice tone="warn" title="Somebody else has deleted this meanwhile.">
    It cannot be saved any more. What you typed is still here, so that you can copy it.
  </Notice>
);
