import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import { useState } from 'react';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { RecentChanges } from '../../ui/record/RecentChanges.tsx';
import { RemoveStudents } from '../dialog/RemovalDialog.tsx';
import { useStructure } from '../data/useStructure.ts';
import { counted } from '../format.ts';
import { useGetList } from 'react-admin';
import { SearchField } from '../list/filters/SearchBox.tsx';
import { subjectPage } from '../frame/NeedsSubject.tsx';
import { AddStudentDialog } from './AddStudentDialog.tsx';
import { RemovedStudents } from './RemovedStudents.tsx';
import { OFF_ROLL } from '../../ui/students/place-of.ts';
import styles from './StudentsPage.module.css';
import type { Student } from './student.ts';
import { StudentsTable } from './StudentsTable.tsx';
import { useEdits } from './useEdits.ts';
import { useStudentsPlace, useSubjectOfAddress } from './useStudentsPlace.ts';
import type { Structure } from '#api/school/school.contract';

/** The students of each set: corrected, moved, added and taken off roll by hand. */
export const StudentsPage = () => {
  useSubjectOfAddress();
  return <OfSubject />;
};

const OfSubject = subjectPage('Manually Allocate Students', ({ subjectId, name }) => {
  const place = useStudentsPlace();
  const structure = useStructure(subjectId);
  const edits = useEdits(subjectId);
  const [adding, setAdding] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { students: removed, offRoll } = edits.removal;
  const submit = () => {
    setAsked(false);
    edits.submit();
  };
  const sets = structure.data?.yearGroups.flatMap((yearGroup) => yearGroup.sets) ?? [];
  const set = sets.find(({ setId }) => setId === place.group);
  // Somebody else may have deleted the set meanwhile.
  const group = place.group === OFF_ROLL ? OFF_ROLL : set?.setId;
  return (
    <Page
      title="Manually Allocate Students"
      sub={`Students of ${name}: ${group === OFF_ROLL ? 'Off Roll selected' : set ? `set ${set.name}` : place.find === '' ? 'Select a group' : 'all groups'}`}
      actions={
        <Changes>
          {edits.count > 0 && (
            <Button variant="outlined" onClick={edits.discardAll} disabled={edits.submitting}>
              Discard
            </Button>
          )}
          <Button variant="outlined" disabled={sets.length === 0} onClick={() => setAdding(true)}>
            Add Student
          </Button>
          <Button
            variant="contained"
            disabled={edits.count === 0 || edits.submitting}
            onClick={() => (removed + offRoll > 0 ? setAsked(true) : submit())}
          >
            {edits.submitting ? 'Submitting…' : edits.count === 0 ? 'Submit Changes' : `Submit Changes (${edits.count})`}
          </Button>
        </Changes>
      }
    >
      {edits.trouble && (
        <Notice tone="bad" title={edits.trouble}>
          Nothing was stored, and nothing that you typed is lost: {counted(edits.count, 'student')} still to be submitted.
        </Notice>
      )}
      {edits.gone.map(({ value, saw }) => (
        <Notice
          key={saw.id}
          tone="warn"
          title={`Somebody else has deleted ${saw.name} from this subject meanwhile.`}
          actions={
            <Button size="small" onClick={() => edits.discard(saw.id)}>
              Discard the change
            </Button>
          }
        >
          What you changed cannot be submitted any more: {value.admissionNo}, {value.name}, {value.dateOfBirth}.
        </Notice>
      ))}
      {!structure.data ? (
        <Skeleton rows={8} />
      ) : (
        <div className={styles.rooms}>
          <GroupTree subjectId={subjectId} structure={structure.data} selected={group} onSelect={place.choose} />
          <div className="stack gap-3">
            {group === undefined && <SearchField label="Search all students" words={place.find} search={place.search} />}
            {group === undefined && place.find === '' ? (
              <EmptyState title="Select a group">
                {sets.length === 0 ? (
                  <>
                    This subject has no sets yet.{' '}
                    <Changes>Add them under Classes, or upload a file of students, which can make them.</Changes>
                  </>
                ) : (
                  'Choose a set, or Off-Roll, to see who is in it, or search by name or StudentID.'
                )}
              </EmptyState>
            ) : (
              <StudentsTable
                key={group}
                subjectId={subjectId}
                group={group}
                name={set?.name ?? (group === OFF_ROLL ? 'Off-Roll' : name)}
                structure={structure.data}
                edits={edits}
                place={place}
              />
            )}
          </div>
        </div>
      )}
      <p>
        Students see their own results once they have joined with the <AppLink to="/admin/users_students">joining code of {name}</AppLink>.
      </p>
      <RemovedStudents subjectId={subjectId} />
      {isAsked && (
        <RemoveStudents
          {...edits.removal}
          act="Delete"
          onRemove={submit}
          onOffRoll={() => {
            edits.keepOffRoll();
            submit();
          }}
          onClose={() => setAsked(false)}
        >
          {edits.count > removed + offRoll && <p>{counted(edits.count - removed - offRoll, 'other change')} will be submitted too.</p>}
        </RemoveStudents>
      )}
      <Changes>
        <RecentChanges subjectId={subjectId} kind="students" />
      </Changes>
      {adding && structure.data && (
        <AddStudentDialog subjectId={subjectId} structure={structure.data} setId={set?.setId} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
});

type GroupTreeProps = {
  readonly subjectId: string;
  readonly structure: Structure;
  readonly selected: string | undefined;
  readonly onSelect: (group: string) => void;
};

/** Off-Roll, and year groups, which only open and close, with their sets. */
const GroupTree = ({ subjectId, structure: { yearGroups }, selected, onSelect }: GroupTreeProps) => {
  const { total: offRoll } = useGetList<Student>('students', {
    filter: { subjectId, setId: null },
    pagination: { page: 1, perPage: 1 },
    sort: { field: 'name', order: 'ASC' },
  });
  return (
    <nav className={`stack gap-1 ${styles.tree}`} aria-label="Groups">
      <Entry name="Off-Roll" students={offRoll} isSelected={selected === OFF_ROLL} onSelect={() => onSelect(OFF_ROLL)} />
      {yearGroups.map(({ yearGroupId, year, sets }) => (
        <details key={yearGroupId} open>
          <summary>Year {year}</summary>
          <ul>
            {sets.map(({ setId, name, students }) => (
              <li key={setId}>
                <Entry name={name} students={students} isSelected={selected === setId} onSelect={() => onSelect(setId)} />
              </li>
            ))}
            {sets.length === 0 && <li className="muted">no sets yet</li>}
          </ul>
        </details>
      ))}
    </nav>
  );
};

type EntryProps = {
  readonly name: string;
  readonly students: number | undefined;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
};

const Entry = ({ name, students, isSelected, onSelect }: EntryProps) => (
  <button
    type="button"
    ref={isSelected ? intoView : undefined}
    className={`bare line apart ${styles.entry}`}
    aria-current={isSelected}
    aria-label={students === undefined ? name : `${name}, ${counted(students, 'student')}`}
    onClick={onSelect}
  >
    <span>{name}</span>
    {students !== undefined && <span className="muted figure">{students}</span>}
  </button>
);

/** The tree scrolls by itself. */
const intoView = (entry: HTMLElement | null) => entry?.scrollIntoView({ block: 'nearest' });
