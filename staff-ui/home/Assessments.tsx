import type { Markbook } from '#api/marks/marks.contract';
import type { Structure } from '#api/school/school.contract';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { count, counted, difference, oneDecimal } from '../format.ts';
import { Spread } from '../marks/markbook/means/Spread.tsx';
import { showsClass, useMarkbook } from '../queries.ts';
import type { SchoolSet, YearGroup } from '../shell/place.ts';
import { TrackerButton } from '../marks/tracker/TrackerButton.tsx';
import { useRevisionLists } from '../shell/revision-lists.ts';
import { useUploadDialogs } from '../marks/upload/request.ts';
import styles from './Assessments.module.css';
import { setsSitting, assessmentFigures } from './class-figures.ts';

type AssessmentsProps = { readonly structure: Structure; readonly yearGroup: YearGroup; readonly set: SchoolSet | undefined };

/** How the class (or the whole year group) is doing in each assessment. */
export const Assessments = ({ structure, yearGroup, set }: AssessmentsProps) => {
  const shown = set ? [set] : yearGroup.sets;
  const only = shown.length === 1 ? shown[0]?.setId : undefined;
  const markbook = useMarkbook(yearGroup.yearGroupId, only);
  const book = markbook.data && showsClass(markbook.data, only) ? markbook.data : undefined;
  const sat = book ? satBy(book, shown) : [];
  return (
    <Section title="Assessments">
      {markbook.error && <Failure error={markbook.error} retry={() => void markbook.refetch()} />}
      {!book && !markbook.error && <Skeleton rows={3} label="Loading assessments" />}
      {book &&
        (sat.length > 0 ? (
          <List markbook={book} sat={sat} shown={shown.length} />
        ) : (
          <EmptyState title="No assessments yet">
            {structure.tests.length === 0
              ? 'An assessment with its questions is made by an admin of your school; then its totals and marks can be uploaded here.'
              : 'No assessment is chosen for these classes yet.'}
          </EmptyState>
        ))}
    </Section>
  );
};

const enteredText = (entered: number, students: number): string => {
  if (students === 0) return 'Nobody is here yet';
  if (entered < students) return `${count(entered)} of ${counted(students, 'student')} ${students === 1 ? 'has' : 'have'} a total`;
  return students === 1 ? 'The student has a total' : `All ${counted(students, 'student')} have a total`;
};

type Sat = { readonly test: Markbook['tests'][number]; readonly column: number; readonly sets: readonly SchoolSet[] };

/** The assessments that any of the classes sits, and which of them do. */
const satBy = (markbook: Markbook, shown: readonly SchoolSet[]): readonly Sat[] =>
  markbook.tests
    .map((test, column) => ({ test, column, sets: setsSitting(markbook, column, shown) }))
    .filter(({ sets }) => sets.length > 0);

/** `shown`: how many classes the page is about. */
const List = ({ markbook, sat, shown }: { readonly markbook: Markbook; readonly sat: readonly Sat[]; readonly shown: number }) => {
  const { open, mayUpload } = useUploadDialogs();
  const openLists = useRevisionLists();
  return (
    <ul className={styles.list}>
      {sat.map(({ test, column, sets }) => {
        const ofSet = sets.length === 1 && sets[0] ? { setId: sets[0].setId } : {};
        const { entered, students, mean, contested, totals } = assessmentFigures(markbook, column, new Set(sets.map(({ setId }) => setId)));
        return (
          <li key={test.testId} className={styles.assessment}>
            <h3>{test.name}</h3>
            <p className={styles.entered}>
              {test.max === null ? 'No questions yet: add them first' : enteredText(entered, students)}
              {contested > 0 && <strong className={styles.contested}> · {counted(contested, 'total')} with several values</strong>}
            </p>
            <p className={styles.mean}>
              {mean === null || test.max === null ? (
                <span className={styles.none}>No mean yet</span>
              ) : (
                <>
                  <span className={styles.figure}>{oneDecimal(mean)}</span> of {test.max}
                  {shown < markbook.sets.length && test.mean !== null ? (
                    <span className={styles.against}>
                      {difference(mean - test.mean)} against the year’s {oneDecimal(test.mean)}
                    </span>
                  ) : (
                    test.sd !== null && <span className={styles.against}>mean, SD {oneDecimal(test.sd)}</span>
                  )}
                </>
              )}
            </p>
            <div className={styles.spread}>{totals.length > 0 && <Spread test={test} totals={totals} />}</div>
            {test.max !== null && (
              <div className={styles.acts}>
                {mayUpload && (
                  <>
                    <Button
                      look="plain"
                      onClick={() => open({ kind: 'totals', testId: test.testId, ...ofSet })}
                      aria-label={`Upload totals of ${test.name}`}
                    >
                      Upload totals
                    </Button>
                    <Button
                      look="plain"
                      aria-label={`Enter marks of ${test.name}`}
                      onClick={() => open({ kind: 'results', by: 'hand', testId: test.testId, ...ofSet })}
                    >
                      Enter marks
                    </Button>
                    <Button
                      look="plain"
                      aria-label={`Upload results of ${test.name}`}
                      onClick={() => open({ kind: 'results', testId: test.testId, ...ofSet })}
                    >
                      Upload results
                    </Button>
                  </>
                )}
                <TrackerButton look="plain" test={test} sets={sets} />
                <Button look="plain" aria-label={`Revision list of ${test.name}`} onClick={() => openLists({ testId: test.testId })}>
                  Revision list
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
};
