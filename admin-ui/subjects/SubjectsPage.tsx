import { Button } from '@mui/material';
import { useState } from 'react';
import { ListBase } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import type { Subject } from './subject.ts';
import { SubjectCards } from './SubjectCards.tsx';
import { SubjectDialog } from './SubjectDialog.tsx';

/** The school's subjects: found, added, renamed, removed. */
export const SubjectsPage = () => (
  <ListBase<Subject> resource="subjects" perPage={24} sort={{ field: 'name', order: 'ASC' }}>
    <Page
      title="Subjects"
      sub="Everything else of the school belongs to a subject."
      actions={
        <>
          <ListExport file="subjects" columns={columns} />
          <AddSubject />
        </>
      }
    >
      <SearchBox label="Search subjects" />
      <ListStates empty={<NoSubject />}>
        <SubjectCards />
        <ListPager of="subjects" />
      </ListStates>
    </Page>
  </ListBase>
);

const columns = [
  { label: 'Subject', value: ({ name }: Subject) => name },
  { label: 'Year groups', value: ({ yearGroups }: Subject) => yearGroups },
  { label: 'Sets', value: ({ sets }: Subject) => sets },
  { label: 'Students', value: ({ students }: Subject) => students },
  { label: 'Teachers', value: ({ teachers }: Subject) => teachers },
];

const AddSubject = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="contained" onClick={() => setOpen(true)}>
        Add subject
      </Button>
      {open && <SubjectDialog onClose={() => setOpen(false)} />}
    </>
  );
};

const NoSubject = () => (
  <EmptyState title="No subject yet" action={<AddSubject />}>
    Add the first one, such as Mathematics: schemes of work, assessments and classes come next.
  </EmptyState>
);
