import type { ReactNode } from 'react';
import { useState } from 'react';
import { ListBase, TextInput, required } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useAddDialog } from '../dialog/useAddDialog.tsx';
import { RecordDialog } from '../dialog/RecordDialog.tsx';
import { subjectPage } from '../frame/NeedsSubject.tsx';
import { Deleted } from '../list/Deleted.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { OnlyFilter } from '../list/filters/OnlyFilter.tsx';
import { SearchBox } from '../list/filters/SearchBox.tsx';
import type { Assessment } from './assessment.ts';
import type { Doing } from './AssessmentDetails.tsx';
import { AssessmentList } from './AssessmentList.tsx';
import { Changes } from '../../ui/frame/ReadOnly.tsx';
import styles from '../list/ListTools.module.css';

/** The subject's assessments: their questions, and whether students see them. */
export const AssessmentsPage = subjectPage('Assessment Data', ({ subjectId, name: subject }) => {
  const [open, setOpen] = useState<string>();
  const [doing, setDoing] = useState<Doing>();
  // A new assessment opens at once, because its questions come next.
  const add = useAddDialog('Add assessment', (close) => (
    <AddAssessment
      subjectId={subjectId}
      onClose={close}
      onAdded={(id) => {
        setOpen(id);
        close();
      }}
    />
  ));
  return (
    <ListBase<Assessment> resource="assessments" perPage={24} sort={{ field: 'name', order: 'ASC' }} filter={{ subjectId }}>
      <Page
        title="Assessment Data"
        sub={`Assessments of ${subject}, and their questions.`}
        actions={
          <>
            <ListExport file="assessments" columns={columns} />
            {add.button}
          </>
        }
      >
        <div className={styles.tools}>
          <SearchBox label="Search assessments" />
          <OnlyFilter source="questions" value={0} label="Only those without questions" />
        </div>
        <ListStates empty={<NoAssessment add={add.button} />} isHeld={doing !== undefined}>
          <AssessmentList open={open} onOpen={setOpen} doing={doing} onDo={setDoing} />
          <ListPager of="assessments" />
        </ListStates>
        <Deleted kinds={['assessment']} subjectId={subjectId} />
        {add.dialog}
      </Page>
    </ListBase>
  );
});

const columns = [
  { label: 'Assessment', value: ({ name }: Assessment) => name },
  { label: 'Questions', value: ({ questions }: Assessment) => questions },
  { label: 'Max Mark', value: ({ max }: Assessment) => max },
  { label: 'Visible to students', value: ({ visible }: Assessment) => (visible ? 'Yes' : 'No') },
];

type AddAssessmentProps = { readonly subjectId: string; readonly onClose: () => void; readonly onAdded: (id: string) => void };

const AddAssessment = ({ subjectId, onClose, onAdded }: AddAssessmentProps) => {
  const toast = useToast();
  return (
    <RecordDialog<Assessment>
      title="Add assessment"
      resource="assessments"
      given={{ subjectId }}
      submit="Add assessment"
      onClose={onClose}
      onSaved={({ id, name }) => {
        toast({ tone: 'good', text: `${name} added. Its questions come next.` });
        onAdded(id);
      }}
    >
      <TextInput source="name" label="Assessment name" validate={required('Required.')} autoFocus inputProps={{ maxLength: 200 }} />
    </RecordDialog>
  );
};

const NoAssessment = ({ add }: { readonly add: ReactNode }) => (
  <EmptyState title="No assessment yet" action={add}>
    <Changes>Add the first one, then its questions: from a CSV file, or one by one.</Changes>
  </EmptyState>
);
