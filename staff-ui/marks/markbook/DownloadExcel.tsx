import type { Markbook } from '#api/marks/marks.contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { question, useApi } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { useMoment } from '../../as-of/useMoment.ts';
import { useStructure } from '../../queries.ts';

/**
 * The whole subject, whatever the table shows of it: the year group that is open, then the others that have marks to show. What makes the
 * file is loaded when it is wanted.
 */
export const DownloadExcel = ({ markbook }: { readonly markbook: Markbook }) => {
  const api = useApi();
  const client = useQueryClient();
  const structure = useStructure();
  const { asOf } = useMoment();
  const [hasFailed, setHasFailed] = useState(false);
  const download = async () => {
    try {
      const others = (structure.data?.yearGroups ?? [])
        .filter(({ yearGroupId, sets }) => yearGroupId !== markbook.yearGroupId && sets.length > 0)
        .toSorted((a, b) => a.year - b.year);
      const bookOf = ({ yearGroupId }: { readonly yearGroupId: string }) =>
        client.fetchQuery(question(api, 'markbook', { yearGroupId }, asOf));
      const [{ markbookFile }, { saveFile }, open, ...books] = await Promise.all([
        import('./markbook-file.ts'),
        import('../../../ui/file/save-file.ts'),
        markbook.setId === undefined ? markbook : bookOf(markbook),
        ...others.map(bookOf),
      ]);
      const moment = asOf ?? new Date().toISOString();
      const shown = [open, ...books.filter(({ students, tests }) => students.length > 0 && tests.length > 0)];
      const file = await markbookFile(shown, moment);
      saveFile(`Markbook ${markbook.subject.name} ${moment.slice(0, 10)}.xlsx`, file, file.type);
      setHasFailed(false);
    } catch {
      setHasFailed(true);
    }
  };
  return (
    <>
      <Button onClick={() => void download()}>Download to Excel</Button>
      {hasFailed && <p role="alert">The file could not be made. Try again.</p>}
    </>
  );
};
