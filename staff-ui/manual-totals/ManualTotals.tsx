import type { Structure } from '#api/structure/structure.contract';
import { useState } from 'react';
import { Select } from '../../ui/controls/Field.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useStructure } from '../queries.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { setsInOrder } from '../shell/place.ts';
import type { UploadRequest } from '../upload/request.ts';
import uploadStyles from '../upload/Upload.module.css';
import { TotalsForm } from './TotalsForm.tsx';

/** Manual entry of totals for one class and one test. */
export const ManualTotals = ({ request }: { readonly request: UploadRequest }) => {
  const structure = useStructure();
  if (structure.error) return <Failure error={structure.error} retry={() => void structure.refetch()} />;
  if (!structure.data) return <Skeleton rows={8} label="Loading classes" />;
  return <ClassAndTest structure={structure.data} request={request} />;
};

const ClassAndTest = ({ structure, request }: { readonly structure: Structure; readonly request: UploadRequest }) => {
  const { subject } = useSession();
  const classes = structure.yearGroups.flatMap((yearGroup) =>
    setsInOrder(yearGroup).flatMap((set) => (set.mayWrite ? [{ ...set, yearGroup }] : [])),
  );
  const tests = structure.tests.filter(({ max }) => max !== null);
  const [setId, setSetId] = useState(request.setId ?? (classes.length === 1 ? classes[0]?.setId : undefined));
  const [testId, setTestId] = useState(request.testId ?? (tests.length === 1 ? tests[0]?.testId : undefined));
  const chosen = classes.find((one) => one.setId === setId);
  const test = tests.find((one) => one.testId === testId);
  if (classes.length === 0) return <EmptyState title="No class of yours">Totals can be entered for classes that you teach.</EmptyState>;
  if (tests.length === 0) return <EmptyState title="No assessment with questions yet">An admin of your school adds it first.</EmptyState>;
  const years = [...new Set(classes.map(({ yearGroup }) => yearGroup.year))];
  return (
    <>
      <div className={`${uploadStyles.step} ${uploadStyles.still}`}>
        <div className={`${uploadStyles.pair} ${uploadStyles.narrow}`}>
          <Select
            label="Select Class"
            value={setId ?? ''}
            onChange={(event) => setSetId(event.target.value)}
            hint={chosen ? undefined : 'Select a set to continue...'}
          >
            <option value="" disabled>
              Select Class
            </option>
            {years.map((year) => (
              <optgroup key={year} label={`Year ${year}`}>
                {classes
                  .filter(({ yearGroup }) => yearGroup.year === year)
                  .map((one) => (
                    <option key={one.setId} value={one.setId}>
                      {one.name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </Select>
          <Select label="Select an assessment" value={testId ?? ''} onChange={(event) => setTestId(event.target.value)}>
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
      </div>
      {chosen && test && subject && (
        <TotalsForm
          key={`${chosen.setId} ${test.testId}`}
          about={{ setId: chosen.setId, testId: test.testId, subjectId: subject.subjectId }}
          yearGroupId={chosen.yearGroup.yearGroupId}
          max={test.max ?? 0}
        />
      )}
    </>
  );
};
