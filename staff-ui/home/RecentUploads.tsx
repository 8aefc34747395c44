import { dateText } from '#api/contract/dates';
import type { RecentUploads as Uploads } from '#api/marks/upload/uploads.contract';
import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { naturalOrder } from '#api/contract/order';
import { useMoment } from '../moment.ts';
import { count, counted, some } from '../format.ts';
import { useUploads } from '../queries.ts';
import type { SchoolSet } from '../shell/place.ts';
import type { UploadedCommand } from '../marks/upload/undo.ts';
import { useUndo } from '../marks/upload/undo.ts';
import { useUploadDialogs } from '../marks/upload/request.ts';
import { UploadList, UploadRow } from '../marks/upload/UploadList.tsx';

type Upload = Uploads['uploads'][number];

/** Who uploaded what and when, newest first, each with Undo. */
export const RecentUploads = ({ set }: { readonly set: SchoolSet | undefined }) => {
  const answer = useUploads(set?.setId);
  const { turn, busy } = useUndo();
  const [all, setAll] = useState(false);
  const uploads = answer.data?.pages.flatMap((page) => page.uploads) ?? [];
  const shown = all ? uploads : uploads.slice(0, FEW);
  return (
    <Section title={set ? `Recent uploads with ${set.name}` : 'Recent uploads'}>
      {answer.error && <Failure error={answer.error} retry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton rows={3} label="Loading uploads" />}
      {answer.data && uploads.length === 0 && <NoUploads />}
      <UploadList>
        {shown.map((upload) => (
          <Row key={upload.commandId} upload={upload} busy={busy === upload.commandId} turn={turn} />
        ))}
      </UploadList>
      {(uploads.length > shown.length || answer.hasNextPage) && (
        <Button
          look="plain"
          disabled={answer.isFetchingNextPage}
          onClick={() => (uploads.length > shown.length ? setAll(true) : void answer.fetchNextPage())}
        >
          Show older uploads
        </Button>
      )}
    </Section>
  );
};

const FEW = 8;

type RowProps = {
  readonly upload: Upload;
  readonly busy: boolean;
  readonly turn: (command: UploadedCommand, to: 'undone' | 'redone') => void;
};

const Row = ({ upload, busy, turn }: RowProps) => {
  const { asOf } = useMoment();
  const { entryId, commandId, fileName, kind, tests, sets, cells, confirmed, students, at, satOn, by, undone, mayUndo, whyNot } = upload;
  const name = fileName ?? 'An upload';
  // As they were called when it was uploaded.
  const classes = sets.toSorted(naturalOrder);
  return (
    <UploadRow
      name={name}
      at={at}
      by={by}
      undone={undone}
      mayTurn={mayUndo && asOf === undefined}
      whyNot={whyNot}
      busy={busy}
      onTurn={() => turn({ entryId, commandId, name }, undone ? 'redone' : 'undone')}
    >
      {counted(cells, kind === 'totals' ? 'total' : 'mark')} of {counted(students, 'student')}
      {confirmed > 0 && `, ${count(confirmed)} confirmed`} · {some(tests.map((test) => test.name))}
      {classes.length > 0 && (
        <>
          {' · '}
          <span title={classes.join(', ')}>{some(classes)}</span>
        </>
      )}
      {satOn !== null && ` · sat on ${dateText(satOn)}`}
    </UploadRow>
  );
};

const NoUploads = () => {
  const { open, mayUpload } = useUploadDialogs();
  return (
    <EmptyState title="No uploads yet" action={mayUpload && <Button onClick={() => open({ kind: 'totals' })}>Upload totals</Button>}>
      Every upload of totals or results is listed here with its author, and can be undone from here.
    </EmptyState>
  );
};
