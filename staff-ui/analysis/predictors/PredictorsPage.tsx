import type { Predictors } from '#api/analysis/analysis.contract';
import { Link } from 'wouter';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../../ui/api/failure.ts';
import { buttonClass } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { MomentPage } from '../../shell/MomentPage.tsx';
import { NothingYet } from '../../shell/NothingYet.tsx';
import { counted } from '../../format.ts';
import { ClassPicker } from '../../shell/ClassPicker.tsx';
import { NoSubject } from '../../shell/NoSubject.tsx';
import { placeQuery, setsInOrder } from '../../shell/place.ts';
import { useClassPage } from '../../shell/useClassPage.ts';
import { Explanations } from '../figures/Explanations.tsx';
import { RagLegend } from '../figures/Rag.tsx';
import styles from './Predictors.module.css';
import { PredictorsTable } from './PredictorsTable.tsx';

/** The topics of a scheme of work by student of a class: ?year=11&set=11X1&scheme=… */
export const PredictorsPage = () => {
  const { subject, structure, classes, yearGroup, set: chosen, search, change, area, asOf } = useClassPage();
  const set = chosen ?? (yearGroup && setsInOrder(yearGroup)[0]);
  const schemeId = schemeIn(search);
  const predictors = useQuestion('progress-predictors', set && { setId: set.setId, ...(schemeId === undefined ? {} : { schemeId }) }, asOf);
  if (!subject) return <NoSubject title="Progress predictors" />;
  const failed = structure.error ?? predictors.error;
  const isOlder = asOf !== undefined && isRefused(failed, 'not-found');
  const isGone = !isOlder && schemeId !== undefined && isRefused(predictors.error, 'not-found');
  return (
    <MomentPage
      title={set ? `${set.name} – Progress predictors` : 'Progress predictors'}
      sub={set ? `${subject.name}, ${counted(set.students, 'student')}` : subject.name}
      actions={
        <Link className={buttonClass()} to={area + placeQuery(yearGroup, chosen)}>
          Back to dashboard
        </Link>
      }
    >
      {classes && set && <ClassPicker structure={classes} shown={set} />}
      {isOlder && <NothingYet />}
      {isGone && (
        <Notice tone="warn" title="This scheme of work is not there any more.">
          <button type="button" className={buttonClass()} onClick={() => change({ scheme: undefined })}>
            Show the scheme of the class
          </button>
        </Notice>
      )}
      {failed && !isOlder && !isGone && <Failure error={failed} retry={() => void (structure.error ? structure : predictors).refetch()} />}
      {classes && !set && (
        <EmptyState title="No class yet">Progress predictors show how each student of a class stands in each topic.</EmptyState>
      )}
      {!failed && !predictors.data && (!classes || set) && <Skeleton rows={7} label="Loading the predictors" />}
      {predictors.data && !failed && (
        <Explanations>
          <Content
            key={`${predictors.data.setId} ${predictors.data.scheme?.schemeId}`}
            predictors={predictors.data}
            onScheme={(scheme) => change({ scheme })}
          />
        </Explanations>
      )}
    </MomentPage>
  );
};

/** The scheme of work in the address; undefined: that of the class. */
const schemeIn = (search: URLSearchParams): string | undefined => {
  const schemeId = search.get('scheme') ?? undefined;
  return schemeId !== undefined && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(schemeId) ? schemeId : undefined;
};

type ContentProps = { readonly predictors: Predictors; readonly onScheme: (schemeId: string) => void };

const Content = ({ predictors, onScheme }: ContentProps) => {
  const { scheme, schemes, topics, of, thresholds, name } = predictors;
  return (
    <div className="stack gap-4">
      {schemes.length > 0 && (
        <div className={styles.choice}>
          <Select label="Scheme of work" value={scheme?.schemeId ?? ''} onChange={({ target }) => onScheme(target.value)}>
            {!scheme && <option value="">Choose a scheme of work</option>}
            {schemes.map((one) => (
              <option key={one.schemeId} value={one.schemeId}>
                {one.name}
              </option>
            ))}
          </Select>
        </div>
      )}
      {!scheme ? (
        <EmptyState title="No scheme of work">
          {schemes.length === 0
            ? 'This subject has no scheme of work: an admin of your school adds it with its topics.'
            : `The scheme of work of ${name} was deleted: choose another one to look at.`}
        </EmptyState>
      ) : topics.length === 0 ? (
        <EmptyState title={`${scheme.name} has no topics yet`}>An admin of your school adds the topics of the scheme of work.</EmptyState>
      ) : of.length === 0 ? (
        <EmptyState title="Nobody is in this class yet">An admin of your school adds its students.</EmptyState>
      ) : (
        <>
          <PredictorsTable predictors={predictors} />
          <RagLegend {...thresholds} />
        </>
      )}
    </div>
  );
};
