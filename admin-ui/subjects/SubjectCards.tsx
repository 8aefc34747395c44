import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useRemove } from '../dialog/useRemove.tsx';
import { listed } from '../format.ts';
import { Card, Cards } from '../list/Cards.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
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
                <>
                  <Button variant="outlined" size="small" aria-label={`Edit ${subject.name}`} onClick={() => setEdited(subject)}>
                    Edit
                  </Button>
                  {me.role === 'admin' && (
                    <Button size="small" aria-label={`Remove ${subject.name}`} onClick={() => removal.ask(subject)}>
                      Remove
                    </Button>
                  )}
                </>
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

/** A subject that holds marks cannot be removed; this says why before any confirmation. */
const useSubjectRemoval = () => {
  const toast = useToast();
  const removal = useRemove<Subject>({
    resource: 'subjects',
    act: 'Remove',
    title: ({ name }) => `Remove ${name}?`,
    content: (subject) => {
      const contents = contentsOf(subject);
      return contents.length === 0 ? 'It is empty so far.' : `Its ${listed(contents)} will be hidden with it. Undo brings everything back.`;
    },
    done: ({ name }) => `${name} removed.`,
    undo: ({ id }, command) => command('RestoreSubject', { subjectId: id }),
  });
  return {
    ...removal,
    ask: (subject: Subject) =>
      subject.holdsMarks
        ? toast({ tone: 'warn', text: `${subject.name} holds marks of students: it cannot be removed. Rename it, or leave it as it is.` })
        : removal.ask(subject),
  };
};
