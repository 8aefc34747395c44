import type { ReadModel, ReadModels, WorkProgress } from '#api/contract/read-models';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { ask } from '../../ui/feedback/ask.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { Table } from '../../ui/table/Table.tsx';
import { counted, listed } from '../format.ts';
import styles from './ReadModels.module.css';

/** The read models: how they are, whether they say what the events of the school say, and for some admins how to build one anew. */
export const ReadModelsPage = () => {
  const api = useApi();
  const client = useQueryClient();
  const models = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get<ReadModels>('/api/read-models', { signal }),
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? 1_000 : 30_000),
  });
  const begin = useMutation({
    mutationFn: ({ path, body }: { readonly path: 'compare' | 'rebuild'; readonly body: object }) =>
      api.post<ReadModels>(`/api/read-models/${path}`, body),
    onSuccess: (now) => client.setQueryData(queryKey, now),
  });
  const rebuild = async (name: string) => {
    if (await ask(rebuilding(name))) begin.mutate({ path: 'rebuild', body: { name } });
  };
  const isComparing = !!models.data?.comparing;
  return (
    <Page
      title="Read models"
      sub="All that pages show is read from these. Each is built from the events of the log alone, and can be built from them again."
      actions={
        <Button
          look="primary"
          disabled={!models.data || isComparing || begin.isPending}
          onClick={() => begin.mutate({ path: 'compare', body: {} })}
        >
          Compare with a fold
        </Button>
      }
    >
      {models.isPending && <Skeleton rows={10} label="Loading the read models" />}
      {models.error && <Failure error={models.error} retry={() => void models.refetch()} />}
      {begin.error && <Notice tone="bad" title={sentence(begin.error)} />}
      {models.data && (
        <div className="stack gap-4">
          {models.data.trouble !== null && <Notice tone="bad" title={models.data.trouble} />}
          <Comparison {...models.data} />
          <Models {...models.data} rebuild={begin.isPending ? undefined : (name) => void rebuild(name)} />
        </div>
      )}
    </Page>
  );
};

const queryKey = ['read-models'];
const isBusy = ({ comparing, models }: ReadModels): boolean => comparing !== null || models.some(({ rebuilding: now }) => now !== null);

const rebuilding = (name: string) => ({
  title: `Rebuild ${titleOf(name)}?`,
  text: 'It is built again from the whole log, for every school here. Until that is done, pages show the old rows; a large log takes minutes.',
  go: 'Rebuild',
  stay: 'Keep it as it is',
});

const Comparison = ({ comparing, compared }: Pick<ReadModels, 'comparing' | 'compared'>) => {
  if (comparing) return <Work label="The events of your school are folded, and every row is compared" of={comparing} unit="events" />;
  if (!compared)
    return (
      <Notice title="Not compared yet">
        <p>A comparison folds all events of your school again, and counts the rows that differ from what pages show. It changes nothing.</p>
      </Notice>
    );
  const rows = compared.models.reduce((sum, model) => sum + model.rows, 0);
  const wrong = compared.models.filter(({ differing }) => differing > 0);
  const when = `Compared on ${moment.format(new Date(compared.at))} by ${compared.by ?? 'an account that was forgotten'}`;
  if (wrong.length === 0)
    return (
      <Notice tone="good" title={`${when}: equal.`}>
        <p>Each of {counted(rows, 'row')} is what the events of your school say.</p>
      </Notice>
    );
  return (
    <Notice
      tone="bad"
      isAnnounced
      title={`${when}: ${listed(wrong.map(({ name, differing }) => `${counted(differing, 'row')} of ${titleOf(name)}`))} differ.`}
    >
      <p>
        The log is right, and nothing is lost. Whoever runs Marktrail finds the rows with <code>marktrail projections compare</code>; a
        rebuild puts them right.
      </p>
    </Notice>
  );
};

const Work = ({ label, of: { done, total }, unit }: { readonly label: string; readonly of: WorkProgress; readonly unit: string }) => (
  <div className={`stack gap-1 ${styles.work}`} role="status">
    <span>
      {label}
      {total > 0 && `: ${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} ${unit}`}
    </span>
    <progress aria-label={label} {...(total > 0 ? { value: done / total } : {})} />
  </div>
);

type ModelsProps = ReadModels & { readonly rebuild: ((name: string) => void) | undefined };

const Models = ({ models, compared, mayRebuild, rebuild }: ModelsProps) => (
  <Table label="Read models" isList cardsBelow={900}>
    <thead>
      <tr>
        <th scope="col">Read model</th>
        <th scope="col">State</th>
        <th scope="col">Last comparison</th>
        <th scope="col">Behind the log</th>
        <th scope="col">Built</th>
        <th scope="col" className="figure">
          Position
        </th>
        {mayRebuild && <th scope="col">Rebuild</th>}
      </tr>
    </thead>
    <tbody>
      {models.map((model) => (
        <tr key={model.name}>
          <th scope="row" className={`breaks ${styles.name}`}>
            <b>{titleOf(model.name)}</b>
            <small className="muted">{model.purpose}</small>
          </th>
          <td data-label="State">{states[model.state]}</td>
          <td data-label="Last comparison">{found(compared, model.name)}</td>
          <td data-label="Behind the log">{behind(model.behind)}</td>
          <td data-label="Built">
            <time dateTime={model.builtAt}>{moment.format(new Date(model.builtAt))}</time>
          </td>
          <td data-label="Position" className="figure">
            {Number(model.position).toLocaleString('en-GB')}
          </td>
          {mayRebuild && (
            <td>
              {model.rebuilding ? (
                <Work label={`Rebuilding ${titleOf(model.name)}`} of={model.rebuilding} unit="%" />
              ) : (
                <Button
                  look="plain"
                  disabled={!rebuild}
                  aria-label={`Rebuild ${titleOf(model.name)}`}
                  onClick={() => rebuild?.(model.name)}
                >
                  Rebuild
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </Table>
);

const titleOf = (name: string): string => name.replaceAll('_', ' ');

const states: Readonly<Record<ReadModel['state'], string>> = {
  running: 'Follows the log',
  filling: 'Is being built',
  stopped: 'Has stopped',
  waiting: 'Nobody is working on it',
  stale: 'Of another log',
};

const behind = ({ events, orMore, seconds }: ReadModel['behind']): string =>
  events === 0 ? 'No' : `${orMore ? 'More than ' : ''}${counted(events, 'event')}, ${counted(seconds, 'second')}`;

const found = (compared: ReadModels['compared'], model: string): string => {
  const one = compared?.models.find(({ name }) => name === model);
  if (!one) return compared ? 'Not compared' : 'Never';
  const { rows, differing } = one;
  return differing === 0 ? `Equal, ${counted(rows, 'row')}` : `${counted(differing, 'row')} of ${rows.toLocaleString('en-GB')} differ`;
};

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
