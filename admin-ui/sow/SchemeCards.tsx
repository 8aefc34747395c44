import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { counted } from '../format.ts';
import { Card, Cards } from '../list/Cards.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import type { Scheme } from './scheme.ts';
import { SchemeDialog } from './SchemeDialog.tsx';

/** `empty`: in their place, where there are none. */
export const SchemeCards = ({ empty }: { readonly empty: ReactNode }) => {
  const { data = [] } = useListContext<Scheme>();
  const [edited, setEdited] = useState<Scheme>();
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
                <Button variant="outlined" size="small" aria-label={`Edit ${scheme.name}`} onClick={() => setEdited(scheme)}>
                  Edit
                </Button>
              }
            />
          ))}
        </Cards>
        <ListPager of="schemes of work" />
      </ListStates>
      {edited && <SchemeDialog scheme={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
};
