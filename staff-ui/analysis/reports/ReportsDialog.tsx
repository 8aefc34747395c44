import { FORGOTTEN_STUDENT, toldApart } from '#api/contract/names';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { useFresh } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import type { Making } from '../../../ui/reports/parts.ts';
import { paperOf } from '../../../ui/reports/paper.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import { useMoment } from '../../moment.ts';
import { dateTime } from '../../format.ts';
import { PaperSelect } from '../../shell/reports/PaperSelect.tsx';
import { Progress } from '../../shell/reports/Progress.tsx';
import { useReport } from '../../shell/reports/useReport.ts';
import type { ReportForm, ReportKind } from './report-file.ts';

type ReportsDialogProps = {
  readonly kind: ReportKind;
  readonly setId: string;
  readonly yearGroupId: string;
  readonly name: string;
  /** Chosen at first; left out: the newest. */
  readonly testId?: string | undefined;
  readonly onClose: () => void;
};

const WORDS: Readonly<Record<ReportKind, { readonly title: string; readonly about: string }>> = {
  student: {
    title: 'Student reports',
    about: 'The total beside the class, each question, what went well and what to work on, topics, and the tests of the year.',
  },
  feedback: {
    title: 'Feedback sheets',
    about: 'One page for each student: marks by question, what went well, what to work on and revise, and room for a comment.',
  },
};

const FORMS: readonly ReportForm[] = ['one', 'two', 'zip'];

const now = (): string => new Date().toISOString();

const HANDED_OUT = { student: 'student reports', feedback: 'feedback sheets' } as const;

/** Which assessment, for whom, and on what paper; on a page of an earlier moment, as of then. */
export const ReportsDialog = ({ kind, setId, yearGroupId, name, testId: firstTest, onClose }: ReportsDialogProps) => {
  const { me } = useSession();
  const { asOf } = useMoment();
  const ask = useFresh(asOf);
  const home = useQuestion('class-home', { setId }, asOf);
  const completed = home.data?.completed ?? [];
  const [pickedTest, setTest] = useState(firstTest);
  // If the chosen assessment disappears, none is selected in its place: its report would be handed out as the other's.
  const testId = pickedTest === undefined ? completed[0]?.testId : completed.find((one) => one.testId === pickedTest)?.testId;
  const sheet = useQuestion('sheet', testId === undefined ? undefined : { testId, setId }, asOf);
  const [pickedStudent, setStudent] = useState('');
  const [form, setForm] = useState<ReportForm>('one');
  const [paper, setPaper] = useState(() => paperOf(navigator.language));
  const students = sheet.data && sheet.data.testId === testId ? toldApart(sheet.data.students) : [];
  const student = students.find(({ studentId }) => studentId === pickedStudent);
  const report = useReport(async (making: Making) => {
    if (testId === undefined) return undefined;
    const [{ reportFile }, homeNow, sheetNow, predictors, markbook, list] = await Promise.all([
      import('./report-file.ts'),
      ask('class-home', { setId }),
      ask('sheet', { testId, setId }),
      ask('progress-predictors', { setId }),
      ask('markbook', { yearGroupId, setId }),
      ask('revision-list', { testId }),
    ]);
    making.signal?.throwIfAborted();
    const moment = asOf ?? now();
    const handOut = { what: HANDED_OUT[kind], as: 'file', setId, testId, studentId: student?.studentId, asOf } as const;
    return reportFile(
      {
        kind,
        name,
        sources: { home: homeNow, sheet: sheetNow, predictors, markbook, list, moment },
        students: student ? sheetNow.students.filter(({ studentId }) => studentId === student.studentId) : sheetNow.students,
        isAlone: student !== undefined,
        as: student ? 'one' : form,
        school: me.school.name,
        words: me.school.reports,
        paper,
      },
      making,
    ).then((made) => ({ ...made, handOut }));
  });
  const error = home.error ?? sheet.error;
  const words = WORDS[kind];
  return (
    <Dialog title={`${words.title} of ${name}`} open onClose={onClose}>
      <div className="stack gap-3 pad">
        {error && <Failure error={error} retry={() => void (home.error ? home : sheet).refetch()} />}
        {!home.data && !error && <Skeleton rows={3} label="Loading assessments" />}
        {testId === undefined && completed.length > 0 && (
          <Notice tone="warn" title="The assessment that was chosen here is not there any more.">
            <p>It was deleted, or nobody in {name} has a total in it any more. Choose another one.</p>
          </Notice>
        )}
        {home.data && completed.length === 0 && (
          <EmptyState title="Nothing to report yet">Reports are about assessments in which somebody of the class has a total.</EmptyState>
        )}
        {completed.length > 0 && (
          <>
            <p className="muted">
              {words.about}
              {asOf !== undefined && ` As it was on ${dateTime(asOf)}.`}
            </p>
            <Select label="Assessment" value={testId ?? ''} onChange={({ target }) => setTest(target.value)}>
              {testId === undefined && (
                <option value="" disabled>
                  Select an assessment
                </option>
              )}
              {completed.map((test) => (
                <option key={test.testId} value={test.testId}>
                  {test.name}
                </option>
              ))}
            </Select>
            <Select label="For" value={student?.studentId ?? ''} onChange={({ target }) => setStudent(target.value)}>
              <option value="">{students.length === 1 ? 'The only student' : `All ${students.length} students`}</option>
              {students.map(({ studentId, name: called }) => (
                <option key={studentId} value={studentId}>
                  {called ?? FORGOTTEN_STUDENT}
                </option>
              ))}
            </Select>
            {!student && (
              <Select label="As" value={form} onChange={({ target }) => setForm(FORMS.find((one) => one === target.value) ?? 'one')}>
                <option value="one">One file, to print</option>
                {kind === 'feedback' && <option value="two">One file, two sheets to a page</option>}
                <option value="zip">A file for each student, in a zip</option>
              </Select>
            )}
            <PaperSelect paper={paper} onChange={setPaper} />
          </>
        )}
        <Progress report={report} />
      </div>
      <DialogFoot>
        <Button look="primary" disabled={report.pending || students.length === 0} onClick={() => void report.make()}>
          Download
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
