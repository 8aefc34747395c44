import { Suspense, useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../ui/lazily.ts';

const ActList = lazily(() => import('../../ui/record/RecentChanges.tsx'), 'ActList');

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
        <Suspense fallback={<Skeleton rows={4} label="Loading the recent changes" />}>
          <ActList subjectId={subjectId} />
        </Suspense>
      ) : (
        <p>What was typed, uploaded or changed, by whom and when. Undo works however long ago it was.</p>
      )}
    </Section>
  );
};
