import type { StudentCard, StudentHome } from '#api/analysis/student/student.contract';
import { dateText } from '#api/contract/dates';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { FlagNotes, FlagSigns } from '../../ui/feedback/FlagSigns.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { mismatchText, submitAddress } from '../marks/place.ts';
import styles from './Dashboard.module.css';
import { useTasks } from '../marks/queries.ts';
import type { Evidence } from './Evidence.tsx';
import { EvidenceMark, EvidenceNote, evidenceOf } from './Evidence.tsx';
import { Questions } from './Questions.tsx';
import { useOwnQuestion } from './queries.ts';

type Card = StudentHome['tests'][number];

/** One assessment: how it went, what went well and what to work on next, question by question. */
export const AssessmentCard = ({ card }: { readonly card: Card }) => (
  <article className={`stack gap-4 large ${styles.card}`} aria-label={card.name}>
    <Headline card={card} />
    <Message card={card} />
    {card.questions ? <Feedback testId={card.testId} /> : <Next card={card} />}
  </article>
);

/** The alert that the totals differ, unless the banner shows it already because the marks can be corrected. */
const Message = ({ card: { testId, mismatch, message, ownTotal, total, flags } }: { readonly card: Card }) => {
  const tasks = useTasks();
  if (message === null) return null;
  if (!mismatch) return <p className="muted">{message}</p>;
  if (tasks.isPending || tasks.data?.tests.some((test) => test.testId === testId && test.waits && test.mismatch)) return null;
  return (
    <Notice tone="bad" title={message}>
      <AppLink to={submitAddress(testId)}>{mismatchText({ confirmedTotal: ownTotal, staffTotal: total, flags })}</AppLink>
    </Notice>
  );
};

const Headline = ({ card: { name, total, flags, max, percent, classPercent, against, day, attendance } }: { readonly card: Card }) => (
  <header className={`stack gap-1 ${styles.headline}`}>
    <h3>
      {name} {day !== null && <small>{dateText(day)}</small>}
    </h3>
    {percent === null ? (
      <p className="muted">
        {attendance === 'sat' ? 'No total from your teacher yet.' : `You were marked as ${attendance}.`}
        <FlagSigns flags={flags} />
      </p>
    ) : (
      <>
        <p className={styles.percent}>
          {Math.round(percent)} %{' '}
          <small>
            {total} of {max}
            <FlagSigns flags={flags} />
          </small>
        </p>
        <p>
          {classPercent === null || against === null
            ? 'Fewer than five students of your class have a total: no comparison.'
            : `${AGAINST[against]} your class, whose average is about ${classPercent} %.`}
        </p>
      </>
    )}
    <FlagNotes flags={flags} className="muted" />
  </header>
);

const AGAINST = { higher: 'That is higher than', lower: 'That is lower than', 'in line': 'That is broadly in line with' } as const;

/** What to do while there is nothing to say about single questions. */
const Next = ({ card: { testId, attendance, max, entered } }: { readonly card: Card }) => {
  if (attendance !== 'sat' || max === null) return null;
  return (
    <div className="stack gap-3 own-width">
      <p>
        {entered === 1
          ? 'Enter your marks question by question: then this page says what went well and what to work on next.'
          : 'What went well and what to work on next is shown here once the marks of the questions are entered.'}
      </p>
      {/* The banner above has the primary button for it. */}
      <AppLink className={buttonClass()} to={submitAddress(testId)}>
        Enter the marks of this assessment
      </AppLink>
    </div>
  );
};

const Feedback = ({ testId }: { readonly testId: string }) => {
  const { data, error, refetch } = useOwnQuestion('student-card', { testId });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={5} label="Loading the questions" />;
  const claims = [...data.strengths, ...data.targets];
  const evidence = evidenceOf(claims.map(({ weak }) => weak !== false));
  return (
    <>
      {claims.length > 0 && (
        <p className="muted">
          The figures are points above or below the average of all students. <EvidenceNote evidence={evidence} />
        </p>
      )}
      <div className={styles.claims}>
        <Claims
          title="What went well"
          none="Nothing stands out above the average yet."
          {...{ evidence, card: data }}
          claims={data.strengths}
        />
        <Claims
          title="Work on next"
          none="Nothing stands out below the average. Well done."
          {...{ evidence, card: data }}
          claims={data.targets}
        />
      </div>
      <Questions questions={data.questions} />
    </>
  );
};

type ClaimsProps = {
  readonly title: string;
  readonly none: string;
  readonly evidence: Evidence;
  readonly card: StudentCard;
  readonly claims: StudentCard['strengths'];
};

const Claims = ({ title, none, evidence, card: { questions }, claims }: ClaimsProps) => {
  if (questions.every(({ average }) => average === null))
    return (
      <section>
        <h4 className="large strong">{title}</h4>
        <p className="muted">Shown once five students have marks to compare with.</p>
      </section>
    );
  return (
    <section>
      <h4 className="large strong">{title}</h4>
      {claims.length === 0 && <p className="muted">{none}</p>}
      <ol>
        {claims.map(({ questionId, difference, weak }) => {
          const question = questions.find((one) => one.questionId === questionId);
          return (
            question && (
              <li key={questionId} className={`line apart ${styles.row}`}>
                <span className="breaks">
                  {question.topic} <small>question {question.number}</small>
                  {weak !== false && <EvidenceMark evidence={evidence} />}
                </span>
                <span className="rigid figure">
                  {difference > 0 ? '+' : '−'}
                  {Math.abs(difference)}
                  <span className="sr"> points from the average of all students</span>
                </span>
              </li>
            )
          );
        })}
      </ol>
    </section>
  );
};
