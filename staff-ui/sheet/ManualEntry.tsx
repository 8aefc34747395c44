import type { Structure } from '#api/structure/structure.contract';
import type { ComponentType, ReactNode } from 'react';
import { useMemo } from 'react';
import { Select } from '../../ui/controls/Field.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useSheetQuery } from '../queries.ts';
import type { SchoolSet } from '../shell/place.ts';
import { setsInOrder } from '../shell/place.ts';
import { SheetEditor } from './SheetEditor.tsx';
import styles from './Sheet.module.css';

type ManualEntryProps = {
  readonly structure: Structure;
  readonly setId: string | undefined;
  readonly testId: string | undefined;
  /** The class is given, and not asked for. */
  readonly isSetGiven?: boolean;
  readonly choose: (place: { readonly setId?: string; readonly testId?: string }) => void;
  readonly Foot: ComponentType<{ readonly children: ReactNode }>;
};

/** Chooses a class and an assessment, and shows its sheet. */
export const ManualEntry = ({ structure, setId, testId, isSetGiven = false, choose, Foot }: ManualEntryProps) => {
  const sets = structure.yearGroups.flatMap(({ sets: all }) => all);
  const set = sets.find((one) => one.setId === setId) ?? (sets.length === 1 ? sets[0] : undefined);
  const tests = testsOf(structure, set);
  const test = tests.find((one) => one.testId === testId) ?? (tests.length === 1 ? tests[0] : undefined);
  if (sets.length === 0) return <EmptyState title="No class of yours">Marks can be entered for classes that you teach.</EmptyState>;
  if (tests.length === 0)
    return (
      <EmptyState title="No assessment with questions yet">
        Marks are entered question by question. An admin of your school adds the assessment and its questions first.
      </EmptyState>
    );
  return (
    <>
      <div className={styles.choice}>
        {!(isSetGiven && set) && (
          <Select
            label="Select Class"
            value={set?.setId ?? ''}
            onChange={(event) => choose({ setId: event.target.value })}
            hint={set ? undefined : 'Select a set to continue...'}
          >
            <option value="" disabled>
              Select Class
            </option>
            {structure.yearGroups.map((yearGroup) => (
              <optgroup key={yearGroup.yearGroupId} label={`Year ${yearGroup.year}`}>
                {setsInOrder(yearGroup).map(({ setId: id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        )}
        <Select label="Select an assessment" value={test?.testId ?? ''} onChange={(event) => choose({ testId: event.target.value })}>
          <option value="" disabled>
            Select an assessment
          </option>
          {tests.map(({ testId: id, name, max }) => (
            <option key={id} value={id}>
              {name} (of {max})
            </option>
          ))}
        </Select>
      </div>
      {set && test && <Chosen key={`${set.setId} ${test.testId}`} setId={set.setId} testId={test.testId} Foot={Foot} />}
    </>
  );
};

/** The assessments of a class that have questions; of a class without any, all. */
const testsOf = ({ tests }: Structure, set: SchoolSet | undefined): Structure['tests'] => {
  const all = tests.filter(({ max }) => max !== null);
  const own = all.filter(({ testId }) => set?.testIds.includes(testId));
  return own.length > 0 ? own : all;
};

const Chosen = ({ setId, testId, Foot }: Pick<ManualEntryProps, 'Foot'> & { readonly setId: string; readonly testId: string }) => {
  const { subject } = useSession();
  const subjectId = subject?.subjectId ?? '';
  const sheet = useSheetQuery({ setId, testId });
  const form = useMemo(() => ({ subjectId, setId, testId }), [subjectId, setId, testId]);
  if (sheet.error) return <Failure error={sheet.error} retry={() => void sheet.refetch()} />;
  if (!sheet.data) return <Skeleton rows={10} label="Loading marks" />;
  return <SheetEditor sheet={sheet.data} form={form} Foot={Foot} />;
};
