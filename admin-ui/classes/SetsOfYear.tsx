import { useState } from 'react';
import { useGetList } from 'react-admin';
import { Link } from 'react-router';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { SaveBar } from '../drafts/SaveBar.tsx';
import { useDrafts } from '../drafts/useDrafts.ts';
import { byName } from '../format.ts';
import { AddSet } from './AddSet.tsx';
import styles from './Classes.module.css';
import type { Named, TeachingSet, YearGroup } from './set.ts';
import { nameTrouble } from './set.ts';
import { SetRow } from './SetRow.tsx';
import { thresholdTrouble } from './ThresholdFields.tsx';
import { useOffRollRemoval } from './useOffRollRemoval.tsx';

/** The sets of a year group, edited in place: nothing is stored before Save. */
export const SetsOfYear = ({ yearGroup: { id, subjectId } }: { readonly yearGroup: YearGroup }) => {
  const all = { filter: { subjectId }, pagination: { page: 1, perPage: 1_000 }, sort: { field: 'name', order: 'ASC' } } as const;
  const sets = useGetList<TeachingSet>('sets', all);
  const schemes = useGetList<Named>('schemes', all);
  const structure = useQuestion('structure', { subjectId }, [`structure:${subjectId}`]);
  const tests = structure.data?.tests.map(({ testId, name }) => ({ id: testId, name }));
  const drafts = useDrafts<TeachingSet>('sets', sets.data);
  const [done, setDone] = useState(false);
  const removal = useOffRollRemoval<TeachingSet>({ resource: 'sets', called: ({ name }) => name, setsOf: 'set' });
  const error = sets.error ?? schemes.error ?? structure.error;
  if (!sets.data || !schemes.data || !tests)
    return error ? <Failure error={error} retry={() => void sets.refetch()} /> : <Skeleton rows={4} />;

  const shown = drafts.rows.map((set) => drafts.shown(set));
  const ofYear = drafts.rows.filter((set) => set.yearGroupId === id).toSorted(byName);
  const nameError = (set: TeachingSet) =>
    nameTrouble(
      set.name,
      shown.filter((other) => other.id !== set.id).map(({ name }) => name),
    );
  const forAll = ({ testIds }: TeachingSet) => {
    setDone(false);
    for (const row of ofYear) if (!sitsSame(drafts.shown(row), { testIds })) drafts.change(row, { testIds });
  };
  const isValid = shown.every((set) => !drafts.isChanged(set.id) || (nameError(set) ?? thresholdTrouble(set.thresholds)) === undefined);
  return (
    <>
      {schemes.data.length === 0 && (
        <Notice tone="warn" title="A set needs a scheme of work.">
          <Link to="/sow">Add a scheme of work</Link> first.
        </Notice>
      )}
      <ul className={styles.sets}>
        {ofYear.map((row) => {
          const set = drafts.shown(row);
          return (
            <SetRow
              key={row.id}
              set={set}
              schemes={schemes.data ?? []}
              tests={tests}
              errors={{ ...drafts.errorsOf(row.id), ...(nameError(set) === undefined ? {} : { name: nameError(set) ?? '' }) }}
              onChange={(values) => {
                setDone(false);
                drafts.change(row, values);
              }}
              onForAll={
                set.testIds.length === 0 || ofYear.every((other) => sitsSame(drafts.shown(other), set)) ? undefined : () => forAll(set)
              }
              onReload={() => drafts.discard(row.id)}
              onDelete={() => removal.ask(row)}
            />
          );
        })}
      </ul>
      {ofYear.length > 0 && (
        <SaveBar
          label="Save"
          disabled={drafts.changed === 0 || !isValid}
          saving={drafts.saving}
          done={done}
          onSave={() => void drafts.save().then(setDone)}
        />
      )}
      <AddSet subjectId={subjectId} yearGroupId={id} schemes={schemes.data} taken={shown.map(({ name }) => name)} />
      {removal.dialog}
    </>
  );
};

/** In whatever order. */
const sitsSame = (one: Pick<TeachingSet, 'testIds'>, other: Pick<TeachingSet, 'testIds'>): boolean =>
  one.testIds.length === other.testIds.length && one.testIds.every((testId) => other.testIds.includes(testId));
