import type { QuestionAnalysis } from '#api/analysis/tests.contract';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../../ui/api/failure.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Section } from '../../../ui/frame/Page.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { MomentPage } from '../../shell/MomentPage.tsx';
import { NothingYet } from '../../shell/NothingYet.tsx';
import { fourDecimals, oneDecimal, twoDecimals } from '../../format.ts';
import { ClassPicker } from '../../shell/ClassPicker.tsx';
import { NoSubject } from '../../shell/NoSubject.tsx';
import { placeQuery } from '../../shell/place.ts';
import { useRevisionLists } from '../../shell/revision-lists.ts';
import { useClassPage } from '../../shell/useClassPage.ts';
import { Explanations, useExplain } from '../figures/Explanations.tsx';
import { StudentReports } from '../reports/StudentReports.tsx';
import { ByTopic } from './ByTopic.tsx';
import { Distribution, HardAndTelling } from './Pictures.tsx';
import styles from './Questions.module.css';
import { leftOutText, QuestionStudents } from './QuestionStudents.tsx';
import { QuestionTable } from './QuestionTable.tsx';
import type { Group, Row } from './rows.ts';
import { findingOf, groupsOf, notCompared, rowsOf, standingsOf, studentsText } from './rows.ts';
import { SetsTable } from './SetsTable.tsx';

/** How the questions of a test worked, in a class or the year group: ?year=11&set=11X1&test=… */
export const QuestionAnalysisPage = () => {
  const { subject, structure, classes, yearGroup, set: chosen, search, change, area, asOf } = useClassPage();
  const openLists = useRevisionLists();
  const tests = structure.data?.tests ?? [];
  const testId = search.get('test') ?? undefined;
  const test = tests.find((one) => one.testId === testId);
  const answer = useQuestion('question-analysis', test && yearGroup && { testId: test.testId, yearGroupId: yearGroup.yearGroupId }, asOf);
  if (!subject) return <NoSubject title="Question analysis" />;
  const failed = structure.error ?? answer.error;
  const isOlder = asOf !== undefined && isRefused(failed, 'not-found');
  const set = chosen ?? (yearGroup?.sets.length === 1 ? yearGroup.sets[0] : undefined);
  return (
    <MomentPage
      title={test ? `${test.name} – Question analysis` : 'Question analysis'}
      sub={`${subject.name}${yearGroup ? `, ${set?.name ?? `year ${yearGroup.year}`}` : ''}`}
      actions={
        <>
          {test && set && yearGroup && (
            <StudentReports kind="feedback" test={test} setId={set.setId} yearGroupId={yearGroup.yearGroupId} name={set.name} />
          )}
          {test && <Button onClick={() => openLists({ testId: test.testId })}>Revision list</Button>}
          <Link className={buttonClass()} to={area + placeQuery(yearGroup, chosen)}>
            Back to dashboard
          </Link>
        </>
      }
    >
      {classes && yearGroup && <ClassPicker structure={classes} all={`Year ${yearGroup.year}`} />}
      <div className="stack gap-6">
        {tests.length > 0 && (
          <div className={`row gap-4 ${styles.choice}`}>
            <Select label="Assessment" value={test?.testId ?? ''} onChange={({ target }) => change({ test: target.value })}>
              {!test && <option value="">Choose an assessment</option>}
              {tests.map((one) => (
                <option key={one.testId} value={one.testId}>
                  {one.name}
                </option>
              ))}
            </Select>
          </div>
        )}
        {isOlder && <NothingYet />}
        {failed && !isOlder && <Failure error={failed} retry={() => void (structure.error ? structure : answer).refetch()} />}
        {structure.data && !failed && !test && (
          <EmptyState title={testId === undefined ? 'Which assessment?' : 'This assessment is not there any more'}>
            {tests.length === 0
              ? 'An admin of your school creates assessments and their questions; once marks are in, this page shows how its questions worked.'
              : 'Choose an assessment to see how its questions worked: how hard each was, and how well it tells strong from weak students.'}
          </EmptyState>
        )}
        {test && !failed && !answer.data && <Skeleton rows={10} label="Loading the figures" />}
        {answer.data && test && !failed && (
          <Explanations>
            <Content key={`${answer.data.testId} ${set?.setId}`} analysis={answer.data} setId={set?.setId} />
          </Explanations>
        )}
      </div>
    </MomentPage>
  );
};

const Content = ({ analysis, setId }: { readonly analysis: QuestionAnalysis; readonly setId: string | undefined }) => {
  const explain = useExplain();
  const { me } = useSession();
  const standings = useMemo(() => standingsOf(analysis), [analysis]);
  const groups = groupsOf(analysis);
  const group = groups.find(({ id }) => id === setId) ?? groups[0];
  if (!group) return null;
  const rows = rowsOf(analysis, group, standings);
  const { testId, name, yearGroupId, sets } = analysis;
  /** Teachers see the students of their own classes only; of one class these are all they see. */
  const of =
    group.id === 'year'
      ? me.role === 'teacher'
        ? sets.length === 1 && sets[0]
          ? { setId: sets[0].setId }
          : undefined
        : { yearGroupId }
      : { setId: group.id };
  const open = (row: Row) =>
    explain({
      id: `students ${row.questionId}`,
      title: `Q${row.number} ${row.topic} – ${group.name}`,
      body: of ? (
        <QuestionStudents testId={testId} test={name} of={of} group={group} row={row} />
      ) : (
        <Notice tone="warn" title="Choose one of your classes to see its students.">
          <p>Of the other classes of the year group you see only the figures for all of them together.</p>
        </Notice>
      ),
    });
  if (group.figures.n === 0)
    return (
      <EmptyState title={`No question marks of ${group.name} yet`}>
        {analysis.questions.length === 0
          ? 'This assessment has no questions yet: an admin of your school adds them first.'
          : `The figures are of students who sat it and have a mark for a question. Left out: ${leftOutText(group)}.`}
      </EmptyState>
    );
  return (
    <>
      <Summary group={group} />
      <p className={`strong ${styles.finding}`}>{notCompared(analysis, group) ?? findingOf(rows, group)}</p>
      <Section title="Questions">
        <QuestionTable key={group.id} group={group} rows={rows} ofAll={analysis.all.evidence} onOpen={open} />
      </Section>
      <div className={styles.pictures}>
        <HardAndTelling group={group} rows={rows} onOpen={open} />
        <Distribution analysis={analysis} rows={rows} />
      </div>
      <SetsTable analysis={analysis} standings={standings} />
      <ByTopic analysis={analysis} group={group} />
    </>
  );
};

const EVIDENCE: Readonly<Record<Group['figures']['evidence'], string | undefined>> = {
  none: 'Fewer than 10 students: no discrimination, alpha or ± is shown.',
  weak: 'Fewer than 20 students: discrimination, alpha and ± say little.',
  fair: undefined,
};

const [ALPHA, SEM] = ['Alpha', 'A total is good to ±'] as const;
const FEW_SAY_LITTLE: ReadonlySet<string> = new Set([ALPHA, SEM]);

const Summary = ({ group }: { readonly group: Group }) => {
  const { mean, sd, alpha, sem, evidence, k } = group.figures;
  const entries: readonly (readonly [string, string, string?])[] = [
    [group.name, `marks of ${studentsText(group.figures)}`],
    ...(mean === null ? [] : [['Mean', oneDecimal(mean), fourDecimals(mean)] as const]),
    ...(sd === null ? [] : [['SD', oneDecimal(sd), fourDecimals(sd)] as const]),
    ...(alpha === null ? [] : [[ALPHA, twoDecimals(alpha), fourDecimals(alpha)] as const]),
    ...(sem === null ? [] : [[SEM, `${oneDecimal(sem)} marks`, fourDecimals(sem)] as const]),
    ['Questions with marks', String(k)],
    ['Left out', leftOutText(group)],
  ];
  return (
    <div>
      <dl className={`row gap-4 ${styles.summary}`}>
        {entries.map(([name, value, exact]) => (
          <div key={name} title={exact}>
            <dt className="muted">{name} </dt>
            <dd className="strong" data-weak={(evidence === 'weak' && FEW_SAY_LITTLE.has(name)) || undefined}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {EVIDENCE[evidence] && <p className="tiny muted">{EVIDENCE[evidence]}</p>}
    </div>
  );
};
