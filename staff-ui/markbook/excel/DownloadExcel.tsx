import type { Markbook } from '#api/marks/marks.contract';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { useMoment } from '../../as-of/useMoment.ts';
import { dateTime } from '../../format.ts';

/** The whole year group, whatever the table shows of it. What makes the file is loaded when it is wanted. */
export const DownloadExcel = ({ markbook }: { readonly markbook: Markbook }) => {
  const { asOf } = useMoment();
  const [hasFailed, setHasFailed] = useState(false);
  const download = async () => {
    try {
      const [{ markbookFile }, { saveFile }, { XLSX }] = await Promise.all([
        import('./markbook-file.ts'),
        import('../../../ui/file/save-file.ts'),
        import('../../../ui/file/workbook.ts'),
      ]);
      const moment = asOf ?? new Date().toISOString();
      const file = await markbookFile(markbook, dateTime(moment));
      saveFile(`Markbook year ${markbook.year} ${moment.slice(0, 10)}.xlsx`, file.buffer, XLSX);
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
