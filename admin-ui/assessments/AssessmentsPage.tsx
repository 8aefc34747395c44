import { Button } from '@mui/material';
import { useState } from 'react';
import { ListBase, TextInput, required } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { RecordDialog } from '../dialog/RecordDialog.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import type { Assessment } from './assessment.ts';
import { AssessmentList } from './AssessmentList.tsx';

/** The subject's assessments: what they ask, and whether students see them. */
export const AssessmentsPage = () => {
  const { subject } = useSession();
  if (!subject)
    return (
      <Page title="Assessment Data">
        <EmptyState title="No subject yet">Assessments belong to a subject. Add a subject first.</EmptyState>
      </Page>
    );
  const { subjectId, name } = subject;
  return (
    <ListBase<Assessment> key={subjectId} resource="assessments" perPage={24} sort={{ field: 'name', order: 'ASC' }} filter={{ subjectId }}>
      <Page
        title="Assessment Data"
        sub={`Assessments of ${name}, and their questions.`}
        actions={
          <>
            <ListExport file="assessments" columns={columns} />
            <AddAssessment subjectId={subjectId} />
          </>
        }
      >
        <SearchBox label="Search assessments" />
        <ListStates empty={<NoAssessment subjectId={subjectId} />}>
          <AssessmentList />
          <ListPager of="assessments" />
        </ListStates>
      </Page>
    </ListBase>
  );
};

const columns = [
  { label: 'Assessment', value: ({ name }: Assessment) => name },
  { label: 'Questions', value: ({ questions }: Assessment) => questions },
  { label: 'Max Mark', value: ({ max }: Assessment) => max },
  { label: 'Visible to students', value: ({ visible }: Assessment) => (visible ? 'Yes' : 'No') },
];

const AddAssessment = ({ subjectId }: { readonly subjectId: string }) => {
  const [open, setOpen] = useState(false);
  const toast = useToast();
  return (
    <>
      <Button variant="contained" onClick={() => setOpen(true)}>
        Add assessment
      </Button>
      {open && (
        <RecordDialog<Assessment>
          title="Add assessment"
          resource="assessments"
          given={{ subjectId }}
          submit="Add assessment"
          onClose={() => setOpen(false)}
          onSaved={({ name }) => {
            toast({ tone: 'good', text: `${name} added. Open it to add its questions.` });
            setOpen(false);
          }}
        >
          <TextInput source="name" label="Assessment name" validate={required('Required.')} autoFocus inputProps={{ maxLength: 200 }} />
        </RecordDialog>
      )}
    </>
  );
};

const NoAssessment = ({ subjectId }: { readonly subjectId: string }) => (
  <EmptyState title="No assessment yet" action={<AddAssessment subjectId={subjectId} />}>
    Add the first one, then its questions: from a CSV file, or one by one.
  </EmptyState>
);
