import { Button } from '@mui/material';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { MappingStepper } from '../../../ui/assessments/MappingStepper.tsx';
import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import { useMoment } from '../../moment.ts';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import { TreeDialog } from './TreeDialog.tsx';

/** Topic Mappings: the subject's topic tree and the three steps. `?test=`: an assessment to map. */
export const MappingsPage = subjectPage('Topic Mappings', (subject) => {
  const { subjectId, name } = subject;
  const [params] = useSearchParams();
  const { asOf } = useMoment();
  const [choosing, setChoosing] = useState(false);
  const { data } = useQuestion('mappings', { subjectId }, asOf);
  const choose = () => setChoosing(true);
  return (
    <Page
      title="Topic Mappings"
      sub={data?.tree ? `${name}: ${data.tree.title}` : name}
      actions={
        data?.tree && (
          <Changes>
            <Button variant="outlined" onClick={choose}>
              Change topic tree
            </Button>
          </Changes>
        )
      }
    >
      <MappingStepper
        subjectId={subjectId}
        testId={params.get('test') ?? undefined}
        asOf={asOf}
        chooseTree={
          <Changes>
            <Button variant="contained" onClick={choose}>
              Choose a topic tree
            </Button>
          </Changes>
        }
      />
      {choosing && <TreeDialog subject={subject} now={data} onClose={() => setChoosing(false)} />}
    </Page>
  );
});
