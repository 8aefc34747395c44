import type { ExportChoices, ExportTable } from '#api/marks/export.contract';
import { Button } from '@mui/material';
import { useState } from 'react';
import { useApi, useQuestion } from '../../ui/api/ApiProvider.tsx';
import { sentence } from '../../ui/api/failure.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { subjectPage } from '../frame/NeedsSubject.tsx';
import { useMoment } from '../moment.ts';
import styles from './Export.module.css';
import { saveAsCsv, saveAsExcel } from './export-file.ts';
import type { Kind } from './export-kinds.ts';
import { words } from './export-kinds.ts';
import { GroupsChoice, KindChoice, TestChoice } from './ExportChoice.tsx';
import { ExportDialog } from './ExportDialog.tsx';

/** Export QLA Data: choose a kind of data and what it is about, then view or download it. */
export const ExportPage = subjectPage('Export QLA Data', ({ subjectId, name }) => {
  const { asOf } = useMoment();
  const { data, error, refetch } = useQuestion('export-choices', { subjectId }, asOf);
  return (
    <Page title="Export QLA Data" sub={name}>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data && <Export key={subjectId} subjectId={subjectId} choices={data} />}
    </Page>
  );
});

const Export = ({ subjectId, choices }: { readonly subjectId: string; readonly choices: ExportChoices }) => {
  const [kind, setKind] = useState<Kind>('students');
  const [test, setTest] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>();
  const [viewed, setViewed] = useState<ExportTable>();
  const { outcome, ask, clear } = useExport(subjectId);
  const { groups, tests } = choices;
  const inYears = groups.filter(({ id }) => id !== 'off-roll');
  const chosenGroups = groups.flatMap(({ id }) => ((ticked ?? inYears.map((group) => group.id)).includes(id) ? [id] : []));
  const testId = tests.some((one) => one.testId === test) ? test : (tests[0]?.testId ?? '');
  const choose = (change: () => void) => {
    change();
    clear();
  };
  // Not disabled meanwhile: the button would lose the focus to nowhere, and so would the dialog that opens from it when it closes.
  const get = (then: (table: ExportTable) => unknown) =>
    outcome?.busy !== true && void ask(kind, kind === 'students' ? chosenGroups : [testId]).then((table) => table && then(table));
  const cannot = kind === 'students' && chosenGroups.length === 0;
  const { about, none, empty } = words[kind];
  return (
    <div className={`stack gap-4 box ${styles.form}`}>
      <KindChoice kind={kind} onKind={(next) => choose(() => setKind(next))} />
      {(kind === 'students' ? groups : tests).length === 0 ? (
        <Notice title={none} />
      ) : (
        <>
          {kind === 'students' ? (
            <GroupsChoice groups={groups} chosen={chosenGroups} onChoose={(ids) => choose(() => setTicked(ids))} />
          ) : (
            <TestChoice kind={kind} tests={tests} chosen={testId} onChoose={(id) => choose(() => setTest(id))} />
          )}
          <div className={`row gap-3 ${styles.buttons}`}>
            <Button variant="contained" disabled={cannot} onClick={() => get(setViewed)}>
              View data
            </Button>
            <Button variant="outlined" disabled={cannot} onClick={() => get(saveAsCsv)}>
              Download CSV
            </Button>
            <Button variant="outlined" disabled={cannot} onClick={() => get(saveAsExcel)}>
              Download Excel
            </Button>
          </div>
        </>
      )}
      <p>{about}</p>
      {outcome?.table?.rows.length === 0 && <Notice tone="warn" title={empty} />}
      {outcome?.error !== undefined && <Notice tone="bad" title={sentence(outcome.error)} />}
      <ExportDialog table={viewed} onClose={() => setViewed(undefined)} />
    </div>
  );
};

type Outcome = { readonly busy?: boolean; readonly table?: ExportTable; readonly error?: unknown };

/** Fetches a table, and returns it if it has rows. */
const useExport = (subjectId: string) => {
  const api = useApi();
  const { asOf } = useMoment();
  const [outcome, setOutcome] = useState<Outcome>();
  const ask = async (kind: Kind, ids: readonly string[]): Promise<ExportTable | undefined> => {
    setOutcome({ busy: true });
    const [testId = ''] = ids;
    try {
      const table = await (kind === 'students'
        ? api.ask('export-student-list', { subjectId, groups: [...ids] }, { asOf })
        : api.query(kind === 'results' ? 'export-results' : 'export-totals', { testId }, { asOf }));
      setOutcome({ table });
      return table.rows.length > 0 ? table : undefined;
    } catch (error) {
      setOutcome({ error });
      return undefined;
    }
  };
  return { outcome, ask, clear: () => setOutcome(undefined) };
};
