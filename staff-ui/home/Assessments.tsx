import type { Dashboard } from '#api/analysis/tests.contract';
import type { Markbook } from '#api/marks/marks.contract';
import type { Structure } from '#api/school/school.contract';
import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Chips } from '../../ui/controls/Chips.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import type { Completed } from '../analysis/class/useClassHome.ts';
import { useClassHome } from '../analysis/class/useClassHome.ts';
import { useAverages } from '../analysis/leader/Averages.tsx';
import { showsClass, useMarkbook } from '../queries.ts';
import type { SchoolSet, YearGroup } from '../shell/place.ts';
import { usePlace } from '../shell/place.ts';
import type { Sat } from './AssessmentRow.tsx';
import { AssessmentRow } from './AssessmentRow.tsx';
import { setsSitting } from './class-figures.ts';

type AssessmentsProps = { readonly structure: Structure; readonly yearGroup: YearGroup; readonly set: SchoolSet | undefined };

/** How the class (or the whole year group) is doing in each assessment; of one class, where it is strong and weak. */
export const Assessments = ({ structure, yearGroup, set }: AssessmentsProps) => {
  const shown = set ? [set] : yearGroup.sets;
  const only = shown.length === 1 ? shown[0]?.setId : undefined;
  const markbook = useMarkbook(yearGroup.yearGroupId, only);
  const home = useClassHome(only);
  const averages = useAverages(yearGroup);
  const { search, change } = usePlace(structure);
  const [isAll, setAll] = useState(false);
  const order = search.get('compare') === 'class' ? 'percentage' : 'comparison';
  const book = markbook.data && showsClass(markbook.data, only) ? markbook.data : undefined;
  const sat = book ? satBy(book, shown, home.data?.completed ?? [], averages.data?.tests ?? []) : [];
  return (
    <Section
      title="Assessments"
      aside={
        home.data &&
        home.data.completed.length > 0 && (
          <Chips
            label="Compare with"
            items={COMPARE}
            chosen={order}
            onChoose={(chosen) => change({ compare: chosen === 'percentage' ? 'class' : undefined })}
            oneLine
          />
        )
      }
    >
      {markbook.error && <Failure error={markbook.error} retry={() => void markbook.refetch()} />}
      {home.error && !home.data && <Failure error={home.error} retry={() => void home.refetch()} />}
      {averages.error && !averages.data && <Failure error={averages.error} retry={() => void averages.refetch()} />}
      {!book && !markbook.error && <Skeleton rows={3} label="Loading assessments" />}
      {book &&
        (sat.length > 0 ? (
          <>
            <ul className="ruled">
              {(isAll ? sat : sat.slice(0, MOST)).map((one) => (
                <AssessmentRow
                  key={one.test.testId}
                  markbook={book}
                  sat={one}
                  isPart={shown.length < book.sets.length}
                  setId={only}
                  order={order}
                  year={averages.data && { dashboard: averages.data, yearGroup }}
                />
              ))}
            </ul>
            {sat.length > MOST && !isAll && (
              <Button look="plain" onClick={() => setAll(true)}>
                Show all {sat.length} assessments
              </Button>
            )}
          </>
        ) : (
          <EmptyState title="No assessments yet">
            {structure.tests.length === 0
              ? 'An admin of your school creates assessments and their questions; then their totals and marks can be uploaded here.'
              : 'No assessment is chosen for these classes yet.'}
          </EmptyState>
        ))}
    </Section>
  );
};

/** So many are shown at first. */
const MOST = 8;

const COMPARE = [
  { id: 'comparison', name: 'All students' },
  { id: 'percentage', name: 'Class only' },
];

/** The assessments that any of the classes sits, and which of them do; first those that one class has completed, or the year group, the newest first. */
const satBy = (
  markbook: Markbook,
  shown: readonly SchoolSet[],
  completed: readonly Completed[],
  ofYear: Dashboard['tests'],
): readonly Sat[] => {
  const inOrder: readonly { readonly testId: string }[] = completed.length > 0 ? completed : ofYear;
  const places = new Map(inOrder.map(({ testId }, place) => [testId, place]));
  return markbook.tests
    .map((test, column) => ({
      test,
      column,
      sets: setsSitting(markbook, column, shown),
      figures: completed.find(({ testId }) => testId === test.testId),
    }))
    .filter(({ sets }) => sets.length > 0)
    .toSorted((a, b) => (places.get(a.test.testId) ?? Infinity) - (places.get(b.test.testId) ?? Infinity) || a.column - b.column);
};
