import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { ActList } from '../../ui/record/RecentChanges.tsx';

/** What was typed, uploaded and changed otherwise, with Undo: asked for only once somebody wants to see it. */
export const FoldedChanges = ({ subjectId }: { readonly subjectId: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Recent changes"
      aside={
        <Button look="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the recent changes' : 'Show the recent changes'}
        </Button>
      }
    >
      {isOpen ? (
        <ActList subjectId={subjectId} />
      ) : (
        <p>What was typed, uploaded or changed, by whom and when. Undo works however long ago it was.</p>
      )}
    </Section>
  );
};
