import { dateText, schoolDay } from '#api/contract/dates';
import type { KeptSchoolYear, SchoolYearPlan } from '#api/school/school-year/school-year.contract';
import { schoolYearName } from '#api/school/school-year/school-year.formula';
import type { Structure } from '#api/school/school.contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { useUnsaved } from '../../../ui/session/unsaved.ts';
import { counted } from '../../format.ts';
import { useStructure } from '../../data/useStructure.ts';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import { Intake } from './Intake.tsx';
import { NewSets } from './NewSets.tsx';
import { Outcome } from './Outcome.tsx';
import { nextSeptember, suggestedPlan, withTeachers, withYear } from './suggestion.ts';
import { usePreview } from './usePreview.ts';
import { YearGroupSection } from './YearGroupSection.tsx';

/** The change to a new school year, as one plan on one page. */
export const SchoolYearPage = subjectPage('New school year', ({ subjectId, name }) => {
  const api = useApi();
  const structure = useStructure(subjectId);
  const kept = useQuery({
    queryKey: ['school-year', subjectId],
    queryFn: ({ signal }) => api.get<KeptSchoolYear>(`/api/school-years?subjectId=${subjectId}`, { signal }),
  });
  const error = structure.error ?? kept.error;
  return (
    <Page
      title="New school year"
      sub={`What becomes of the year groups, classes and students of ${name}. Nothing changes before it begins, and Undo takes all of it back.`}
    >
      {error && (
        <Failure
          error={error}
          retry={() => {
            void structure.refetch();
            void kept.refetch();
          }}
        />
      )}
      {!error && !(structure.data && kept.data) && <Skeleton rows={8} />}
      {structure.data?.yearGroups.length === 0 && (
        <EmptyState title={`${name} has no year group yet`}>
          <p>Add year groups and classes under Classes first.</p>
        </EmptyState>
      )}
      {structure.data && kept.data && structure.data.yearGroups.length > 0 && (
        // A plan that somebody else has kept meanwhile is another one.
        <Plan key={kept.data.kept?.version ?? 0} subjectId={subjectId} structure={structure.data} kept={kept.data.kept} />
      )}
    </Page>
  );
});

type PlanProps = { readonly subjectId: string; readonly structure: Structure; readonly kept: KeptSchoolYear['kept'] };

const Plan = ({ subjectId, structure, kept }: PlanProps) => {
  const [today] = useState(() => schoolDay(new Date()));
  const stored = useMemo(() => kept?.plan ?? suggestedPlan(structure, nextSeptember(today)), [kept, structure, today]);
  const [edited, setEdited] = useState<SchoolYearPlan>();
  const plan = edited ?? stored;
  const setPlan = (changed: (now: SchoolYearPlan) => SchoolYearPlan) => setEdited((now) => changed(now ?? stored));
  useUnsaved(edited !== undefined);
  const change = (changes: Partial<SchoolYearPlan>) => setPlan((now) => ({ ...now, ...changes }));
  return (
    <div className="stack gap-4">
      {kept?.trouble && (
        <Notice tone="warn" title={`It did not begin on ${dateText(kept.plan.day)}.`}>
          <p>{kept.trouble}</p>
        </Notice>
      )}
      {kept && !kept.trouble && <KeptPlan subjectId={subjectId} kept={kept} />}
      <div className="row gap-4">
        <Field
          label="Day on which it begins"
          type="date"
          value={plan.day}
          hint={`School year ${schoolYearName(plan.day)}`}
          onChange={({ target }) => target.value && change({ day: target.value })}
        />
        <div className="row">
          <Button onClick={() => setPlan((now) => withTeachers(now, structure, 'with students'))}>Teachers go on with their classes</Button>
          <Button onClick={() => setPlan((now) => withTeachers(now, structure, 'by name'))}>
            Teachers keep the names of their classes
          </Button>
        </div>
      </div>
      {structure.yearGroups.map((group) => (
        <YearGroupSection
          key={group.yearGroupId}
          subjectId={subjectId}
          group={group}
          structure={structure}
          plan={plan}
          onYear={(year) => setPlan((now) => withYear(now, structure, group.yearGroupId, year))}
          onChange={change}
        />
      ))}
      <NewSets structure={structure} plan={plan} onChange={(newSets) => change({ newSets })} />
      <Intake subjectId={subjectId} intake={plan.intake} onChange={(intake) => change({ intake })} />
      <Outcome
        subjectId={subjectId}
        plan={plan}
        kept={kept}
        isChanged={edited !== undefined}
        isFuture={plan.day > today}
        onDone={() => setEdited(undefined)}
      />
    </div>
  );
};

/** Whether a plan begins by itself, or what is open in it. */
const KeptPlan = ({ subjectId, kept }: { readonly subjectId: string; readonly kept: NonNullable<KeptSchoolYear['kept']> }) => {
  const { data } = usePreview(subjectId, kept.plan);
  const day = dateText(kept.plan.day);
  if (!data) return <p className="muted">{kept.by} kept this plan.</p>;
  if (data.problems.length === 0)
    return (
      <p className="muted">
        {kept.by} kept this plan. It begins by itself on {day}; until then it can be changed or dropped.
      </p>
    );
  const more = data.problems.length - MOST_NAMED;
  return (
    <Notice tone="warn" title={`${kept.by} kept this plan. It waits until this is settled:`}>
      <ul>
        {data.problems.slice(0, MOST_NAMED).map(({ path, message }) => (
          <li key={`${path} ${message}`}>{message}</li>
        ))}
        {more > 0 && <li>{counted(more, 'more thing')}, under What changes.</li>}
      </ul>
      <p>If it is settled by {day}, it begins by itself on that day. It can be changed or dropped.</p>
    </Notice>
  );
};

const MOST_NAMED = 5;
