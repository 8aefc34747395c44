import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useGetOne, useListContext } from 'react-admin';
import { useSession } from '../../../ui/session/Session.tsx';
import { useRemove } from '../../dialog/useRemove.tsx';
import { counted, listed } from '../../format.ts';
import { Card, Cards } from '../../list/Cards.tsx';
import { ListPager } from '../../list/ListPager.tsx';
import { ListStates } from '../../list/ListStates.tsx';
import type { Subject } from './subject.ts';
import { contentsOf } from './subject.ts';
import { SubjectDialog } from './SubjectDialog.tsx';

/** `empty` replaces an empty list. */
export const SubjectCards = ({ empty }: { readonly empty: ReactNode }) => {
  const { data = [] } = useListContext<Subject>();
  const [edited, setEdited] = useState<Subject>();
  const removal = useSubjectRemoval();
  const { me } = useSession();
  return (
    <>
      <ListStates empty={empty}>
        <Cards>
          {data.map((subject) => (
            <Card
              key={subject.id}
              title={subject.name}
              facts={contentsOf(subject)}
              buttons={
                <Changes>
                  <Button variant="outlined" size="small" aria-label={`Edit ${subject.name}`} onClick={() => setEdited(subject)}>
                    Edit
                  </Button>
                  {me.role === 'admin' && (
                    <Button size="small" color="error" aria-label={`Delete ${subject.name}`} onClick={() => removal.ask(subject)}>
                      Delete
                    </Button>
                  )}
                </Changes>
              }
            />
          ))}
        </Cards>
        <ListPager of="subjects" />
      </ListStates>
      {edited && <SubjectDialog subject={edited} onClose={() => setEdited(undefined)} />}
      {removal.dialog}
    </>
  );
};

const useSubjectRemoval = () =>
  useRemove<Subject>({
    resource: 'subjects',
    act: 'Delete',
    title: ({ name }) => `Delete ${name}?`,
    content: (subject) => <Hidden subject={subject} />,
    done: ({ name }) => `${name} deleted.`,
    undo: { kind: 'subject', called: ({ name }) => name },
  });

/** What would be hidden, asked anew: marks are entered while the list is shown. */
const Hidden = ({ subject }: { readonly subject: Subject }) => {
  const { data = subject, isFetching, error } = useGetOne<Subject>('subjects', { id: subject.id }, { staleTime: 0 });
  const contents = [...contentsOf(data), ...(data.marks > 0 ? [counted(data.marks, 'mark')] : [])];
  return (
    <p role="status">
      {isFetching
        ? 'Counting what it holds …'
        : error
          ? 'What it holds could not be counted just now. All of it will be hidden with it. Undo brings everything back.'
          : contents.length === 0
            ? 'It is empty so far.'
            : `Its ${listed(contents)} will be hidden with it. Undo brings everything back.`}
    </p>
  );
};
