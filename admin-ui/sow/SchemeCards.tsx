import { Button } from '@mui/material';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { counted } from '../format.ts';
import { Card, Cards } from '../list/Cards.tsx';
import type { Scheme } from './scheme.ts';
import { SchemeDialog } from './SchemeDialog.tsx';

export const SchemeCards = () => {
  const { data = [] } = useListContext<Scheme>();
  const [edited, setEdited] = useState<Scheme>();
  return (
    <>
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
      {edited && <SchemeDialog scheme={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
};
