import { Button } from '@mui/material';
import { useState } from 'react';
import { ListBase } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { NeedsSubject } from '../frame/NeedsSubject.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import type { Scheme } from './scheme.ts';
import { SchemeCards } from './SchemeCards.tsx';
import { SchemeDialog } from './SchemeDialog.tsx';

/** The schemes of work of the subject in use. */
export const SchemesPage = () => {
  const { subject } = useSession();
  if (!subject) return <NeedsSubject title="Schemes of Work" />;
  const { subjectId, name } = subject;
  return (
    <ListBase<Scheme> key={subjectId} resource="schemes" filter={{ subjectId }} perPage={24} sort={{ field: 'name', order: 'ASC' }}>
      <Page
        title="Schemes of Work"
        sub={`What is taught in ${name}, topic by topic. Every set follows one.`}
        actions={
          <>
            <ListExport file="schemes_of_work" columns={columns} />
            <AddScheme />
          </>
        }
      >
        <SearchBox label="Search schemes of work" />
        <SchemeCards
          empty={
            <EmptyState title={`${name} has no scheme of work yet`} action={<AddScheme />}>
              Add one with its topics, typed or from a CSV file. A set needs a scheme of work to follow.
            </EmptyState>
          }
        />
      </Page>
    </ListBase>
  );
};

const columns = [
  { label: 'Scheme of work', value: ({ name }: Scheme) => name },
  { label: 'Sets', value: ({ sets }: Scheme) => sets },
  { label: 'Topics', value: ({ topics }: Scheme) => topics.map(({ name }) => name).join('; ') },
];

const AddScheme = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="contained" onClick={() => setOpen(true)}>
        Add scheme of work
      </Button>
      {open && <SchemeDialog onClose={() => setOpen(false)} />}
    </>
  );
};
