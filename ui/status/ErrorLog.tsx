import type { LoggedError } from '#api/contract/errors';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { Button } from '../controls/Button.tsx';
import { Field } from '../controls/Field.tsx';
import { EmptyState } from '../feedback/EmptyState.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { Heads, Table } from '../table/Table.tsx';
import { saveErrors } from './errors-file.ts';
import styles from './ErrorLog.module.css';

/** Errors from all users of this school, newest first, 200 per page, optionally from a number on. */
export const ErrorLog = () => {
  const api = useApi();
  const [before, setBefore] = useState<string>();
  const address = `/api/errors${before === undefined ? '' : `?before=${before}`}`;
  const log = useQuery({
    queryKey: ['errors', before],
    queryFn: ({ signal }) => api.get<{ readonly errors: readonly LoggedError[] }>(address, { signal }),
    placeholderData: keepPreviousData,
  });
  const last = log.data?.errors.at(-1);
  return (
    <>
      <div className={styles.from}>
        <Field
          label="From number"
          type="number"
          min={1}
          hint="The number that the banner showed"
          onChange={({ target: { value } }) => setBefore(/^\d{1,17}$/.test(value) ? String(BigInt(value) + 1n) : undefined)}
        />
      </div>
      {log.isPending && <Skeleton rows={6} label="Loading errors" />}
      {log.error && <Failure error={log.error} retry={() => void log.refetch()} />}
      {log.data?.errors.length === 0 && (
        <EmptyState title="No errors">Errors in anybody’s pages are listed here with their numbers for 90 days.</EmptyState>
      )}
      {log.data && log.data.errors.length > 0 && (
        <>
          <Button look="plain" onClick={() => void saveErrors(log.data.errors)}>
            Export CSV
          </Button>
          <Rows errors={log.data.errors} />
        </>
      )}
      {last && log.data?.errors.length === PAGE && <Button onClick={() => setBefore(last.id)}>Show older ones</Button>}
    </>
  );
};

/** Page size of the server. */
const PAGE = 200;

const Rows = ({ errors }: { readonly errors: readonly LoggedError[] }) => (
  <Table label="List of errors" isList cardsBelow={900} region={styles.log}>
    <Heads names={['Number', 'When', 'Who', 'What', 'Where', 'Status']} />
    <tbody>
      {errors.map(({ id, at, name, role, message, file, line, status, statusText }) => (
        <tr key={id}>
          <th scope="row">{id}</th>
          <td data-label="When">
            <time dateTime={at}>{moment.format(new Date(at))}</time>
          </td>
          <td data-label="Who">
            {name || 'Somebody'}
            {role && <small className="muted"> {role}</small>}
          </td>
          <td className={styles.message} data-label="What">
            {message}
          </td>
          <td className={styles.message} data-label="Where">
            {file}
            {line !== null && `:${line}`}
          </td>
          <td data-label="Status">{[status, statusText].filter(Boolean).join(' ')}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short' });
