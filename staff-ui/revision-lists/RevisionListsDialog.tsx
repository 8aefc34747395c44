import { useId, useState } from 'react';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/controls/Dialog.tsx';
import { Select } from '../../ui/controls/Field.tsx';
import { Tabs } from '../../ui/controls/Tabs.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { leaving } from '../../ui/session/unsaved.ts';
import { useIsRead, useMoment } from '../moment.ts';
import { useStructure } from '../queries.ts';
import { setsInOrder } from '../shell/place.ts';
import type { RevisionListsRequest } from '../shell/revision-lists.ts';
import { useOwnClasses } from '../shell/viewed/TeacherProvider.tsx';
import { CreateList } from './CreateList.tsx';
import { DownloadList } from './DownloadList.tsx';
import styles from './RevisionLists.module.css';
import type { Edits, Page } from './edits.ts';
import { listOf, NO_EDITS } from './edits.ts';

type DialogProps = {
  readonly subjectId: string;
  readonly request: RevisionListsRequest;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** Revision Lists: which question of an assessment stands under which topic header, to be handed out as a list to tick. */
export const RevisionListsDialog = ({ request, open, onClose, ...of }: DialogProps) => {
  const [testId, setTestId] = useState(request.testId);
  return (
    <Dialog
      size={testId === undefined ? 'fit' : 'wide'}
      beforeClose={(close) => leaving('part', close)}
      title="Revision Lists"
      open={open}
      onClose={onClose}
    >
      <Contents {...of} testId={testId} onTest={setTestId} />
    </Dialog>
  );
};

type ContentsProps = {
  readonly subjectId: string;
  readonly testId: string | undefined;
  readonly onTest: (testId: string | undefined) => void;
};

const Contents = ({ subjectId, testId, onTest }: ContentsProps) => {
  const { asOf } = useMoment();
  const page = useQuestion('revision-lists', { subjectId, ...(testId === undefined ? {} : { testId }) }, asOf);
  const isGone = testId !== undefined && isRefused(page.error, 'not-found');
  if (isGone) {
    return (
      <div className="pad">
        <Notice
          tone="warn"
          title={
            asOf === undefined
              ? 'This assessment was deleted meanwhile. Its list is kept, and comes back with it.'
              : 'This assessment was not there yet.'
          }
          actions={<Button onClick={() => onTest(undefined)}>Select a different test</Button>}
        />
      </div>
    );
  }
  if (page.error) return <Failure error={page.error} retry={() => void page.refetch()} />;
  if (!page.data) return <Skeleton rows={8} label="Loading revision lists" />;
  const { test, tests } = page.data;
  if (test && test.testId === testId) {
    return (
      <OfTest key={testId} subjectId={subjectId} page={{ ...page.data, test }} refetch={page.refetch} onOther={() => onTest(undefined)} />
    );
  }
  if (testId !== undefined) return <Skeleton rows={8} label="Loading revision lists" />;
  if (tests.length === 0) {
    return (
      <EmptyState title="No assessments yet">
        A revision list is made of the questions of an assessment. An admin of your school adds assessments and their questions.
      </EmptyState>
    );
  }
  return (
    <div className="pad">
      <Select label="Select an assessment" value="" onChange={({ target }) => onTest(target.value)}>
        <option value="" disabled>
          Select an assessment
        </option>
        {tests.map(({ testId: id, name, questions, listed }) => (
          <option key={id} value={id}>
            {questions === 0 ? `${name} (no questions yet)` : listed > 0 ? `${name} (${listed} of ${questions} on its list)` : name}
          </option>
        ))}
      </Select>
    </div>
  );
};

type OfTestProps = Pick<Parameters<typeof CreateList>[0], 'subjectId' | 'page' | 'refetch'> & { readonly onOther: () => void };

const OfTest = ({ subjectId, page, refetch, onOther }: OfTestProps) => {
  const mayEdit = !useIsRead();
  const [tab, setTab] = useState<'create' | 'view'>(mayEdit ? 'create' : 'view');
  const [edits, setEdits] = useState<Edits>(NO_EDITS);
  const view = { id: 'view' as const, name: 'View/Download', content: <ViewList page={page} hasEdits={edits.size > 0} /> };
  const create = {
    id: 'create' as const,
    name: 'Create Revision List',
    content: <CreateList subjectId={subjectId} page={page} edits={edits} setEdits={setEdits} refetch={refetch} />,
  };
  return (
    <>
      <div className={`row apart ${styles.about}`}>
        <h3>{page.test.name}</h3>
        <Button look="plain" onClick={() => leaving('part', onOther)}>
          Select a different test
        </Button>
      </div>
      <Tabs label="Revision list" chosen={tab} onChoose={setTab} tabs={mayEdit ? [create, view] : [view]} />
    </>
  );
};

/** The list as it is handed out. */
const ViewList = ({ page, hasEdits }: { readonly page: Page; readonly hasEdits: boolean }) => {
  const classes = useOwnClasses(useStructure().data);
  const sitting = (classes?.yearGroups ?? []).flatMap(setsInOrder).filter(({ testIds }) => testIds.includes(page.test.testId));
  const list = listOf(page);
  const titleId = useId();
  return (
    <div className={`pad ${styles.view}`}>
      <section className={`stack gap-4 ${styles.list}`} aria-labelledby={titleId}>
        <h4 id={titleId}>Revision Checklist: {page.test.name}</h4>
        {hasEdits && <Notice tone="warn" title="What you have changed is not saved yet, and not on this list." />}
        {list.length === 0 && <p className="muted small">No question stands under a header yet: nothing can be downloaded.</p>}
        {list.map(({ headerId, name, questions }) => (
          <section key={headerId} aria-label={name}>
            <h5>{name}</h5>
            <ul>
              {questions.map(({ questionId, number, topic, text }) => (
                <li key={questionId} className="line gap-3 breaks">
                  <span className={`figure muted rigid ${styles.number}`}>Q{number}</span> <span>{text ?? topic}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </section>
      <DownloadList page={page} list={list} sitting={sitting} />
    </div>
  );
};
