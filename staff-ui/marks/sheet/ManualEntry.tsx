import type { Structure } from '#api/school/school.contract';
import type { ComponentType, ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Popover } from '../../../ui/controls/Popover.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { useMoment } from '../../moment.ts';
import { useSheetQuery, useStructure } from '../../queries.ts';
import { Template } from '../../../ui/file/FilePicker.tsx';
import { FilledTemplate } from '../upload/FilledTemplate.tsx';
import { FirstKeys } from '../grid/FirstKeys.tsx';
import { SatOn } from '../SatOn.tsx';
import type { SchoolSet } from '../../shell/place.ts';
import { setsInOrder } from '../../shell/place.ts';
import { useOwnClasses } from '../../shell/viewed/TeacherProvider.tsx';
import type { UploadRequest } from '../upload/request.ts';
import type { Kind } from './model/cells.ts';
import { PastSheet } from './PastSheet.tsx';
import { SheetEditor } from './SheetEditor.tsx';
import styles from './Sheet.module.css';
import { TotalsEditor } from './TotalsEditor.tsx';

type Place = { readonly setId?: string | undefined; readonly testId?: string | undefined };
type ManualEntryProps = Place & {
  readonly kind: Kind;
  readonly structure: Structure;
  readonly isSetGiven?: boolean;
  readonly choose: (place: Place) => void;
  readonly Foot: ComponentType<{ readonly children: ReactNode }>;
  /** The first empty cell of the sheet has the focus. */
  readonly takesFocus?: boolean;
  /** What there is besides, behind a button at the end of the line. */
  readonly more?: ReactNode;
};

/** Manual entry in a dialog. Opened from a class, the class is chosen and the first field has the focus. */
export const ManualEntryTab = ({ kind, request }: { readonly kind: Kind; readonly request: UploadRequest }) => {
  const structure = useStructure();
  const ownClasses = useOwnClasses(structure.data);
  const [place, setPlace] = useState<Place>(request);
  if (structure.error) return <Failure error={structure.error} retry={() => void structure.refetch()} />;
  const takesFocus = place === request && request.setId !== undefined;
  if (!ownClasses)
    return (
      <>
        {takesFocus && <FirstKeys />}
        <Skeleton rows={8} label="Loading classes" />
      </>
    );
  return (
    <div className={styles.dialog}>
      <ManualEntry
        kind={kind}
        structure={ownClasses}
        setId={place.setId}
        testId={place.testId}
        // Totals name their class: it may be another one that they are typed for next.
        isSetGiven={kind === 'marks' && request.setId !== undefined}
        choose={(chosen) => setPlace((before) => ({ ...before, ...chosen }))}
        Foot={DialogFoot}
        takesFocus={takesFocus}
      />
    </div>
  );
};

/** Chooses a class and an assessment, and shows its sheet. */
export const ManualEntry = ({
  kind,
  structure,
  setId,
  testId,
  isSetGiven = false,
  choose,
  Foot,
  takesFocus = false,
  more,
}: ManualEntryProps) => {
  const { asOf } = useMoment();
  const sets = structure.yearGroups.flatMap(({ sets: all }) => all);
  // If the chosen class disappears, none is selected in its place: marks would be typed into the wrong class.
  const set = sets.find((one) => one.setId === setId) ?? (setId === undefined && sets.length === 1 ? sets[0] : undefined);
  const { own, others } = testsOf(structure, set);
  const test = [...own, ...others].find((one) => one.testId === testId) ?? (testId === undefined && own.length === 1 ? own[0] : undefined);
  const [toolsPlace, setToolsPlace] = useState<HTMLElement | null>(null);
  const gone = (
    <>
      {setId !== undefined && !set && <GoneClass />}
      {testId !== undefined && !test && <GoneTest />}
    </>
  );
  if (sets.length === 0) return <EmptyState title="No class of yours">{NONE[kind].classes}</EmptyState>;
  if (own.length === 0)
    return (
      <>
        {gone}
        <EmptyState title="No assessment with questions yet">{NONE[kind].tests}</EmptyState>
      </>
    );
  return (
    <>
      {gone}
      <div className={`row ${styles.line}`}>
        {!(isSetGiven && set) && (
          <Pick label="Select Class" value={set?.setId ?? ''} onChange={(chosen) => choose({ setId: chosen })}>
            {structure.yearGroups.map((yearGroup) => (
              <optgroup key={yearGroup.yearGroupId} label={`Year ${yearGroup.year}`}>
                {setsInOrder(yearGroup).map(({ setId: id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </Pick>
        )}
        <Pick label="Select an assessment" value={test?.testId ?? ''} onChange={(chosen) => choose({ testId: chosen })}>
          {own.map(optionOf)}
          {others.length > 0 && <optgroup label="Other assessments">{others.map(optionOf)}</optgroup>}
        </Pick>
        <div ref={setToolsPlace} className={styles.toolsPlace} />
        {(more ?? (set && test)) && (
          <Popover label="More" look="quiet">
            <div className="row">
              {set && test && asOf === undefined && (
                <SatOn key={`date ${set.setId} ${test.testId}`} setId={set.setId} testId={test.testId} />
              )}
              {more}
            </div>
          </Popover>
        )}
      </div>
      {(!set || (!test && testId === undefined)) && (
        <EmptyState title={set ? 'Select an assessment to continue...' : 'Select a set to continue...'}>
          <p>{BEFORE[kind].what} A block that was copied from a spreadsheet can be pasted there.</p>
          {asOf === undefined && (
            <>
              <p>Or fill in the template, and bring it in by Bulk Upload.</p>
              <Template address={`${import.meta.env.BASE_URL}${BEFORE[kind].template}_upload.csv`}>
                <FilledTemplate kind={BEFORE[kind].template} />
              </Template>
            </>
          )}
        </EmptyState>
      )}
      {set && test && (
        <Chosen
          key={`${set.setId} ${test.testId}`}
          kind={kind}
          setId={set.setId}
          testId={test.testId}
          Foot={Foot}
          takesFocus={takesFocus}
          toolsPlace={toolsPlace}
        />
      )}
    </>
  );
};

type PickProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
};

const Pick = ({ label, value, onChange, children }: PickProps) => (
  <select className={`field strong ${styles.pick}`} aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    <option value="" disabled>
      {label}
    </option>
    {children}
  </select>
);

/**
 * A save does not wait to hear of a deletion: what was typed in that moment is stored, and comes back with the rest of the assessment's marks.
 */
const GoneTest = () => (
  <Notice tone="warn" title="The assessment that was chosen here is not there any more.">
    <p>
      It was deleted, or has no questions any more. Marks that were stored in it, up to that moment, are kept and come back with it: an
      admin of your school can restore it.
    </p>
  </Notice>
);

const GoneClass = () => (
  <Notice tone="warn" title="The class that was chosen here is not there any more.">
    <p>It was deleted or renamed, or is no longer one of your classes. Marks that were stored in it are kept, and come back with it.</p>
  </Notice>
);

const NONE: Readonly<Record<Kind, { readonly classes: string; readonly tests: string }>> = {
  marks: {
    classes: 'Marks can be entered for classes that you teach.',
    tests: 'Marks are entered question by question. An admin of your school adds the assessment and its questions first.',
  },
  total: { classes: 'Totals can be entered for classes that you teach.', tests: 'An admin of your school adds it first.' },
};

/** What comes once a class and an assessment are chosen. */
const BEFORE = {
  marks: { what: 'Its students stand here then, with a field for each question.', template: 'results' },
  total: { what: 'Its students stand here then, with a field for the total of each.', template: 'totals' },
} as const;

const optionOf = ({ testId, name, max }: Structure['tests'][number]) => (
  <option key={testId} value={testId}>
    {name} (of {max})
  </option>
);

/** The assessments with questions: those of the class, and all others. A class that has none gets them all as its own. */
const testsOf = ({ tests }: Structure, set: SchoolSet | undefined) => {
  const all = tests.filter(({ max }) => max !== null);
  const { own = [], others = [] } = Object.groupBy(all, ({ testId }) => (set?.testIds.includes(testId) ? 'own' : 'others'));
  return own.length > 0 ? { own, others } : { own: all, others: [] };
};

type ChosenProps = Pick<ManualEntryProps, 'kind' | 'Foot'> & {
  readonly setId: string;
  readonly testId: string;
  readonly takesFocus: boolean;
  readonly toolsPlace: HTMLElement | null;
};

const Chosen = ({ kind, setId, testId, Foot, takesFocus, toolsPlace }: ChosenProps) => {
  const { subject } = useSession();
  const subjectId = subject?.subjectId ?? '';
  const { asOf } = useMoment();
  const sheet = useSheetQuery({ setId, testId });
  const sheetKey = useMemo(() => ({ subjectId, setId, testId }), [subjectId, setId, testId]);
  if (sheet.error) return <Failure error={sheet.error} retry={() => void sheet.refetch()} />;
  if (!sheet.data)
    return (
      <>
        {takesFocus && <FirstKeys />}
        <Skeleton rows={10} label={kind === 'total' ? 'Loading totals' : 'Loading marks'} />
      </>
    );
  if (asOf !== undefined) return <PastSheet sheet={sheet.data} />;
  const Editor = kind === 'total' ? TotalsEditor : SheetEditor;
  return <Editor sheet={sheet.data} sheetKey={sheetKey} Foot={Foot} takesFocus={takesFocus} toolsPlace={toolsPlace} />;
};
