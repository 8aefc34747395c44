import { Changes, useReadOnly } from '../../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { useRemove } from '../../dialog/useRemove.tsx';
import { counted } from '../../format.ts';
import { Card, Cards } from '../../list/Cards.tsx';
import { ListPager } from '../../list/ListPager.tsx';
import { ListStates } from '../../list/ListStates.tsx';
import type { Scheme } from './scheme.ts';
import { whatGoes } from './scheme.ts';
import { SchemeDialog } from './SchemeDialog.tsx';

/** `empty` replaces an empty list. */
export const SchemeCards = ({ empty }: { readonly empty: ReactNode }) => {
  const { data = [] } = useListContext<Scheme>();
  const [edited, setEdited] = useState<Scheme>();
  const removal = useSchemeRemoval();
  const edit = useReadOnly() ? 'Open' : 'Edit';
  return (
    <>
      <ListStates empty={empty}>
        <Cards>
          {data.map((scheme) => (
            <Card
              key={scheme.id}
              title={scheme.name}
              facts={[counted(scheme.topics.length, 'topic'), `followed by ${counted(scheme.sets, 'set')}`]}
              buttons={
                <>
                  <Button variant="outlined" size="small" aria-label={`${edit} ${scheme.name}`} onClick={() => setEdited(scheme)}>
                    {edit}
                  </Button>
                  <Changes>
                    <Button size="small" color="error" aria-label={`Delete ${scheme.name}`} onClick={() => removal.ask(scheme)}>
                      Delete
                    </Button>
                  </Changes>
                </>
              }
            />
          ))}
        </Cards>
        <ListPager of="schemes of work" />
      </ListStates>
      {edited && <SchemeDialog scheme={edited} onClose={() => setEdited(undefined)} />}
      {removal.dialog}
    </>
  );
};

/** A scheme that sets follow cannot be deleted; this says why before any confirmation. */
const useSchemeRemoval = () => {
  const toast = useToast();
  const removal = useRemove<Scheme>({
    resource: 'schemes',
    act: 'Delete',
    title: ({ name }) => `Delete ${name}?`,
    content: whatGoes,
    done: ({ name }) => `${name} deleted.`,
    undo: { kind: 'scheme', called: ({ name }) => name },
  });
  return {
    ...removal,
    ask: (scheme: Scheme) =>
      scheme.sets > 0
        ? toast({
            tone: 'warn',
            text: `${scheme.name} is followed by ${counted(scheme.sets, 'set')}: choose another scheme of work there first, under Classes.`,
          })
        : removal.ask(scheme),
  };
};
