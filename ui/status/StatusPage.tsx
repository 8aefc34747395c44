import type { Status } from '#api/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/ApiProvider.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { Page, Section } from '../frame/Page.tsx';
import { ErrorLog } from './ErrorLog.tsx';

/** For admins: the health of Marktrail and its mail, and the error log with the numbers that banners show. */
export const StatusPage = () => {
  const api = useApi();
  const status = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.get<Status>('/api/status', { signal }),
    refetchInterval: 30_000,
  });
  return (
    <Page title="Status">
      {status.isPending && <Skeleton rows={3} label="Loading the status" />}
      {status.error && <Failure error={status.error} retry={() => void status.refetch()} />}
      {status.data && <Well status={status.data} />}
      <Section title="Errors">
        <ErrorLog />
      </Section>
    </Page>
  );
};

const Well = ({ status: { health, mail, errorsToday } }: { readonly status: Status }) => (
  <div className="stack gap-3">
    {health.problems.map((problem) => (
      <Notice key={problem} tone="bad" title={problem} />
    ))}
    {health.problems.length === 0 && <Notice tone="good" title="Marktrail works as it should." />}
    {mail.trouble !== null && (
      <Notice tone="warn" title={`Mail does not go out: ${mail.trouble}`}>
        <p>It is retried automatically. Mail that is given up after some days has to be sent again, such as an invitation.</p>
      </Notice>
    )}
    <p>
      Mail: {mail.waiting} waiting, {mail.failing} to be tried again, {mail.givenUp} given up. Errors in the last 24 hours: {errorsToday}.
    </p>
    {health.facts.map((fact) => (
      <p key={fact}>{fact}</p>
    ))}
  </div>
);
