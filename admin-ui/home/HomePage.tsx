import { Page, Section } from '../../ui/frame/Page.tsx';
import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { RecentChanges } from '../../ui/record/RecentChanges.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { Help } from './Help.tsx';
import { LeadersSwitch, ReportWords, ResultsSwitch, SchoolName } from './SchoolSettings.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import styles from './Home.module.css';
import { PlannedYear } from './PlannedYear.tsx';
import { useFirstSteps } from './useFirstSteps.ts';
import { Waiting } from './Waiting.tsx';

export const HomePage = () => (
  <Page title={useSession().me.school.name} sub="Administration: with full privileges, so take care.">
    <Planned />
    <FirstSteps />
    <SchoolName />
    <LeadersSwitch />
    <ResultsSwitch />
    <ReportWords />
    <Recent />
    <Help />
  </Page>
);

/** Of the subject in use. */
const Planned = () => {
  const { subject, me } = useSession();
  return subject && me.role === 'admin' && <PlannedYear subjectId={subject.subjectId} />;
};

/** Of the subject in use. */
const Recent = () => {
  const { subject } = useSession();
  return (
    subject && (
      <Changes>
        <RecentChanges key={subject.subjectId} subjectId={subject.subjectId} />
      </Changes>
    )
  );
};

/** The steps from an empty school to its first marks, each with a link to its page; then what waits. */
const FirstSteps = () => {
  const first = useFirstSteps();
  if (!first) return null;
  const { steps, done, next, subject } = first;
  if (!next) return subject && <Waiting key={subject.id} subjectId={subject.id} name={subject.name} />;
  return (
    <Section title="First steps" aside={<span>{`${done} of ${steps.length} done${subject ? ` for ${subject.name}` : ''}`}</span>}>
      <p className={`muted ${styles.intro}`}>From an empty school to its first marks in under 15 minutes.</p>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.name} className="box line top gap-3" data-done={step.done || undefined} data-next={step === next || undefined}>
            <Tick done={step.done} />
            <div>
              <AppLink to={step.to}>{step.name}</AppLink>
              <span className="sr">{step.done ? ' (done)' : ' (to do)'}</span>
              <p className="muted">{step.how}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
};

const Tick = ({ done }: { readonly done: boolean }) => (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <rect x="1.5" y="1.5" width="17" height="17" rx="4" fill="none" stroke="var(--line)" strokeWidth="1.5" />
    {done && <path d="m5 10.5 3.5 3.5L15 6.5" fill="none" stroke="var(--brand)" strokeWidth="2.4" />}
  </svg>
);
