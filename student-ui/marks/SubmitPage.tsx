import type { SubmissionPage } from '#api/marks/submissions/submissions.contract';
import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { useRetrying } from '../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { useFocusStays } from '../../ui/controls/useFocusStays.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useOverdue } from '../../ui/session/useOverdue.ts';
import { MarksForm } from './MarksForm.tsx';
import { FlagNotes, FlagSigns } from '../../ui/feedback/FlagSigns.tsx';
import { SubmitNotices } from './SubmitNotices.tsx';
import { Table } from '../../ui/table/Table.tsx';
import styles from './Submit.module.css';
import { useOpensOffline } from './offline-app.ts';
import { TestsToSubmit } from './TestsToSubmit.tsx';
import { SUBMIT_PAGE } from './place.ts';
import { totalOf } from './own-mark-drafts.ts';
import { useSubmission } from './queries.ts';

/** Where students enter the marks of a test for themselves, question by question; without `?test` the tests that wait for it. */
export const SubmitPage = () => {
  const [search] = useSearchParams();
  const testId = search.get('test');
  return testId === null ? <TestsToSubmit /> : <TestToSubmit key={testId} testId={testId} />;
};

const TestToSubmit = ({ testId }: { readonly testId: string }) => {
  const { me, isConfirmed } = useSession();
  const { page, kept, error, retry } = useSubmission(testId);
  const isUnreachable = useRetrying() !== undefined || !isConfirmed;
  const isOverdue = useOverdue(page === undefined && !error);
  useOpensOffline(me.role === 'student' && page !== undefined);
  if (isRefused(error, 'not-found', 'invalid-input')) return <NotOpen />;
  if (error)
    return (
      <Page title={UNNAMED}>
        <Failure error={error} retry={retry} />
      </Page>
    );
  const shown = page ?? (isUnreachable ? kept : isOverdue ? (kept ?? undefined) : undefined);
  if (shown === null) return <NotKept />;
  if (!shown) return <Skeleton rows={6} label="Loading the questions" />;
  return (
    <Page title={shown.name || UNNAMED} sub="Your own marks, question by question">
      <Marks page={shown} isForm={shown.open && me.role === 'student'} />
    </Page>
  );
};

/** The form gives way to what was sent, and back: under the hands of whoever uses the keyboard, or hears the page. */
const Marks = ({ page, isForm }: { readonly page: SubmissionPage; readonly isForm: boolean }) => {
  const box = useFocusStays<HTMLDivElement>();
  const verdict = useRef<HTMLDivElement>(null);
  const wasForm = useRef(isForm);
  // It stands above the questions, of which the last was on the screen.
  useLayoutEffect(() => {
    if (wasForm.current && !isForm) verdict.current?.focus();
    wasForm.current = isForm;
  }, [isForm]);
  return (
    <div ref={box} tabIndex={-1} className={styles.marks}>
      <div ref={verdict} tabIndex={-1} className={styles.verdict}>
        <SubmitNotices page={page} />
      </div>
      <FlagNotes flags={page.flags} />
      {isForm ? <MarksForm page={page} /> : <SentMarks page={page} />}
    </div>
  );
};

const UNNAMED = 'Your marks';

const NotKept = () => (
  <Page title={UNNAMED}>
    <EmptyState title="This assessment is not on this device">
      It opens as soon as the server can be reached. After that you can go on without a connection.
    </EmptyState>
  </Page>
);

const NotOpen = () => (
  <Page title={UNNAMED}>
    <EmptyState
      title="This assessment is not open to you"
      action={
        <AppLink to={SUBMIT_PAGE} className={buttonClass('primary')}>
          See what is open
        </AppLink>
      }
    >
      Your teacher may have closed it, or it belongs to another class. Ask your teacher if you were given this link.
    </EmptyState>
  </Page>
);

/** The marks as they stand, read-only: what the student has sent, beside what staff have entered. */
const SentMarks = ({ page: { name, questions, max, staffTotal, flags } }: { readonly page: SubmissionPage }) => {
  if (questions.length === 0)
    return <EmptyState title="No questions yet">Your teacher has still to add the questions of this assessment.</EmptyState>;
  const hasStaff = staffTotal !== null || questions.some(({ staff }) => staff !== null);
  return (
    <Table label={`Marks for ${name}`} className="large" region={styles.sent}>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col" className="figure">
            Yours
          </th>
          {hasStaff && (
            <th scope="col" className="figure">
              Teacher’s
            </th>
          )}
          <th scope="col" className="figure">
            of
          </th>
        </tr>
      </thead>
      <tbody>
        {questions.map(({ questionId, number, topic, mark, staff, flags: open, max: most }) => (
          <tr key={questionId}>
            <th scope="row" className="breaks">
              {number} <small className="muted">{topic}</small>
            </th>
            <td className="figure">{mark ?? NONE}</td>
            {hasStaff && (
              <td className="figure">
                {staff ?? NONE}
                <FlagSigns flags={open} />
              </td>
            )}
            <td className="figure">{most}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="figure">{totalOf(questions)}</td>
          {hasStaff && (
            <td className="figure">
              {staffTotal ?? NONE}
              <FlagSigns flags={flags} />
            </td>
          )}
          <td className="figure">{max}</td>
        </tr>
      </tfoot>
    </Table>
  );
};

const NONE = '–';
