import type { Markbook } from '#api/marks/marks.contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { question, useApi } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { NotRecorded, useHandOut } from '../../../ui/file/useHandOut.ts';
import { useMoment } from '../../moment.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import { useStructure } from '../../queries.ts';
import type { Me } from '#api/accounts/accounts.contract';
import type { YearGroup } from '../../shell/place.ts';

/** `hasBeside`: with the columns beside the residual, as the table. */
type DownloadExcelProps = { readonly markbook: Markbook; readonly hasBeside: boolean };

/**
 * The whole subject, as far as one may read it, whatever the table shows of it: the year group that is open, then the others that have marks
 * to show. What makes the
 * file is loaded when it is wanted.
 */
export const DownloadExcel = ({ markbook, hasBeside }: DownloadExcelProps) => {
  const api = useApi();
  const client = useQueryClient();
  const { me } = useSession();
  const structure = useStructure();
  const { asOf } = useMoment();
  const handOut = useHandOut();
  const [failure, setFailure] = useState<string>();
  const download = async () => {
    try {
      // A class that is chosen stands for itself; otherwise every year group of the subject that one may read has a sheet.
      const others =
        markbook.setId === undefined
          ? readableYears(structure.data?.yearGroups ?? [], me.role)
              .filter(({ yearGroupId, sets }) => yearGroupId !== markbook.yearGroupId && sets.length > 0)
              .toSorted((a, b) => a.year - b.year)
          : [];
      const { yearGroupId: year, ranked: ranking } = markbook;
      const whole = { yearGroupId: year, ...(ranking && { taskId: ranking.taskId }) };
      const [{ classOf, markbookFile }, open, ...books] = await Promise.all([
        import('./markbook-file.ts'),
        markbook.rows ? client.fetchQuery(question(api, 'markbook', whole, asOf)) : markbook,
        ...others.map(({ yearGroupId }) => client.fetchQuery(question(api, 'markbook', { yearGroupId }, asOf))),
      ]);
      const moment = asOf ?? new Date().toISOString();
      const shown = [open, ...books.filter(({ students, tests }) => students.length > 0 && tests.length > 0)];
      const besides = await Promise.all(
        (hasBeside ? shown : []).flatMap(({ yearGroupId, ranked }) =>
          ranked ? [client.fetchQuery(question(api, 'residuals', { yearGroupId, taskId: ranked.taskId }, asOf))] : [],
        ),
      );
      const file = await markbookFile(shown, moment, hasBeside ? besides : undefined);
      const of = [markbook.subject.name, classOf(markbook), moment.slice(0, 10)].filter((part) => part !== undefined);
      const { setId, subject, ranked } = markbook;
      const whose = { ...(setId === undefined ? { subjectId: subject.subjectId } : { setId }), taskId: ranked?.taskId };
      await handOut({ what: 'markbook', as: 'file', ...whose, asOf }, `Markbook ${of.join(' ')}.xlsx`, file, file.type);
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof NotRecorded ? error.message : 'The file could not be made. Try again.');
    }
  };
  return (
    <>
      <Button onClick={() => void download()}>Download to Excel</Button>
      {failure !== undefined && <p role="alert">{failure}</p>}
    </>
  );
};

/** The year groups whose markbook somebody may read: a teacher those of their own classes. */
export const readableYears = (yearGroups: readonly YearGroup[], role: Me['role']): readonly YearGroup[] =>
  role === 'teacher' ? yearGroups.filter(({ sets }) => sets.some(({ mayWrite }) => mayWrite)) : yearGroups;
