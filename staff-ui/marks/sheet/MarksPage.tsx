import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'wouter';
import { buttonClass } from '../../../ui/controls/Button.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { MomentControl } from '../../../ui/as-of/MomentControl.tsx';
import { MomentPage } from '../../shell/MomentPage.tsx';
import { NothingYet } from '../../shell/NothingYet.tsx';
import { useMoment } from '../../moment.ts';
import { isRefused } from '../../../ui/api/failure.ts';
import { useStructure } from '../../queries.ts';
import { useArea } from '../../shell/area.ts';
import { NoSubject } from '../../shell/NoSubject.tsx';
import { placeQuery, usePlace } from '../../shell/place.ts';
import { useOwnClasses } from '../../shell/viewed/TeacherProvider.tsx';
import { FirstKeys } from '../grid/FirstKeys.tsx';
import { TrackerButton } from '../tracker/TrackerButton.tsx';
import { useUploadDialogs } from '../upload/request.ts';
import { ManualEntry } from './ManualEntry.tsx';
import styles from './Sheet.module.css';

/** Enter question-level analysis, as a page of its own: ?year=11&set=11X1&test=… */
export const MarksPage = () => {
  const { subject } = useSession();
  const structure = useStructure();
  const ownClasses = useOwnClasses(structure.data);
  const { yearGroup, set, search, change } = usePlace(ownClasses);
  const { open, mayUpload } = useUploadDialogs();
  const area = useArea();
  const moment = useMoment();
  const isOlder = moment.asOf !== undefined && isRefused(structure.error, 'not-found');
  const testId = search.get('test') ?? undefined;
  const named = search.get('set') ?? undefined;
  const [shown, setShown] = useState<string>();
  if (set && set.name !== shown) setShown(set.name);
  /** The name of a chosen class that has gone; not that of a colleague's class, which one only looked at on another page. */
  const isElsewhere = structure.data?.yearGroups.some(({ sets }) => sets.some(({ name }) => name === named));
  const goneName = named === shown || !isElsewhere ? named : undefined;
  /** Whoever comes for a sheet can type at once; whoever chooses one goes on choosing. */
  const [isSheetAtFirst] = useState(named !== undefined && testId !== undefined);
  if (!subject) return <NoSubject title="Enter question-level analysis" />;
  const test = ownClasses?.tests.find((one) => one.testId === testId);
  return (
    <MomentPage title="Enter question-level analysis" isTight>
      {isOlder && <NothingYet />}
      {structure.error && !isOlder && <Failure error={structure.error} retry={() => void structure.refetch()} />}
      {structure.isPending && <Skeleton rows={10} label="Loading classes" />}
      {!ownClasses && !structure.error && isSheetAtFirst && <FirstKeys />}
      {ownClasses && (
        <div className={styles.page}>
          <ManualEntry
            kind="marks"
            structure={ownClasses}
            setId={set?.setId ?? goneName}
            testId={testId}
            choose={({ setId, testId: chosen }) => {
              const group = ownClasses.yearGroups.find(({ sets }) => sets.some((one) => one.setId === setId));
              const name = group?.sets.find((one) => one.setId === setId)?.name;
              change({ ...(group ? { year: String(group.year), set: name } : {}), ...(chosen === undefined ? {} : { test: chosen }) });
            }}
            Foot={Foot}
            takesFocus={isSheetAtFirst}
            more={
              <>
                <MomentControl {...moment} />
                {mayUpload && (
                  <Button
                    onClick={() =>
                      open({ kind: 'results', ...(set ? { setId: set.setId } : {}), ...(testId === undefined ? {} : { testId }) })
                    }
                  >
                    Bulk Upload
                  </Button>
                )}
                {test && set && <TrackerButton test={test} sets={[set]} />}
                <Link className={buttonClass()} to={area + placeQuery(yearGroup, set)}>
                  Back to dashboard
                </Link>
              </>
            }
          />
        </div>
      )}
    </MomentPage>
  );
};

const Foot = ({ children }: { readonly children: ReactNode }) => <footer className={`row gap-3 ${styles.foot}`}>{children}</footer>;
