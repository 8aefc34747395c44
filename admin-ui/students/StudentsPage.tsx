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
import { subjectPage } from '../frame/NeedsSubject.tsx';
import { AddStudentDialog } from './AddStudentDialog.tsx';
import { RemovedStudents } from './RemovedStudents.tsx';
import { OFF_ROLL } from './student.ts';
import styles from './StudentsPage.module.css';
import { StudentsTable } from './StudentsTable.tsx';
import { useEdits } from './useEdits.ts';
import type { Structure } from '#api/school/school.contract';

/** The students of each set: corrected, moved, added and taken off roll by hand. */
export const StudentsPage = subjectPage('Manually Allocate Students', ({ subjectId, name }) => {
  const structure = useStructure(subjectId);
  const edits = useEdits(subjectId);
  const [chosen, setGroup] = useState<string>();
  const [adding, setAdding] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { students: removed, offRoll } = edits.removal;
  const submit = () => {
    setAsked(false);
    edits.submit();
  };
  const sets = structure.data?.yearGroups.flatMap((yearGroup) => yearGroup.sets) ?? [];
  const set = sets.find(({ setId }) => setId === chosen);
  // Somebody else may have deleted the set meanwhile.
  const group = chosen === OFF_ROLL ? OFF_ROLL : set?.setId;
  return (
    <Page
      title="Manually Allocate Students"
      sub={`Students of ${name}: ${group === OFF_ROLL ? 'Off Roll selected' : set ? `set ${set.name}` : 'Select a group'}`}
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
          title={`Somebody else has removed ${saw.name} from this subject meanwhile.`}
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
          <GroupTree structure={structure.data} selected={group} onSelect={setGroup} />
          {group === undefined ? (
            <EmptyState title="Select a group">
              {sets.length === 0 ? (
                <>
                  This subject has no sets yet.{' '}
                  <Changes>Add them under Classes, or upload a file of students, which can make them.</Changes>
                </>
              ) : (
                'Choose a set, or Off-Roll, to see who is in it.'
              )}
            </EmptyState>
          ) : (
            <StudentsTable key={group} subjectId={subjectId} group={group} structure={structure.data} edits={edits} />
          )}
        </div>
      )}
      <p>
        Students see their own results once they have joined with the <AppLink to="/admin/users_students">joining code of {name}</AppLink>.
      </p>
      <RemovedStudents subjectId={subjectId} />
      {isAsked && (
        <RemoveStudents
          {...edits.removal}
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

type GroupTreeProps = { readonly structure: Structure; readonly selected: string | undefined; readonly onSelect: (group: string) => void };

/** Year groups, which only open and close, with their sets; and Off-Roll. */
const GroupTree = ({ structure: { yearGroups }, selected, onSelect }: GroupTreeProps) => (
  <nav className={styles.tree} aria-label="Groups">
    {yearGroups.map(({ yearGroupId, year, sets }) => (
      <details key={yearGroupId} open>
        <summary>Year {year}</summary>
        <ul>
          {sets.map(({ setId, name, students }) => (
            <li key={setId}>
              <Entry name={name} students={students} isSelected={selected === setId} onSelect={() => onSelect(setId)} />
            </li>
          ))}
          {sets.length === 0 && <li className={styles.none}>no sets yet</li>}
        </ul>
      </details>
    ))}
    <Entry name="Off-Roll" isSelected={selected === OFF_ROLL} onSelect={() => onSelect(OFF_ROLL)} />
  </nav>
);

type EntryProps = { readonly name: string; readonly students?: number; readonly isSelected: boolean; readonly onSelect: () => void };

const Entry = ({ name, students, isSelected, onSelect }: EntryProps) => (
  <button
    type="button"
    className={styles.entry}
    aria-current={isSelected}
    aria-label={students === undefined ? name : `${name}, ${counted(students, 'student')}`}
    onClick={onSelect}
  >
    <span>{name}</span>
    {students !== undefined && <span className={styles.count}>{students}</span>}
  </button>
);
