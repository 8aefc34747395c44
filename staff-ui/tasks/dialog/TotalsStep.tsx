import type { Task } from '#api/tasks/task.contract';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import { some } from '../../format.ts';
import { useUploadDialogs } from '../../marks/upload/request.ts';
import styles from '../Steps.module.css';
import { mapKey, enteredText, missingText } from './maps.ts';

/** Step 2: which totals are there, and the ways to bring the others. */
export const TotalsStep = ({ task }: { readonly task: Task }) => {
  const { open, mayUpload } = useUploadDialogs();
  const waiting = task.sets.filter(({ tests }) => tests.some(({ entered }) => entered === 0));
  const entered = useQuestion('entered-totals', { yearGroupId: task.yearGroupId });
  const missing = new Map(entered.data?.entered.map((one) => [mapKey(one), missingText(one)]));
  const tests = [...new Map(task.sets.flatMap((set) => set.tests.map((test) => [test.testId, test] as const))).values()];
  return (
    <>
      {waiting.length > 0 && (
        <Notice tone="warn" title={`No totals yet: ${some(waiting.map(({ name }) => name))}`}>
          <p>The students can be ranked once each class has totals. Upload them, or take the class out of the task in step 1.</p>
        </Notice>
      )}
      {mayUpload && task.status < 6 && (
        <div className="row">
          {tests.map(({ testId, name }) => (
            <Button key={testId} onClick={() => open({ kind: 'totals', testId })}>
              Upload totals of {name}
            </Button>
          ))}
        </div>
      )}
      <Table label="Totals of the classes" region={styles.scroll}>
        <Heads names={['Class', 'Assessment', 'Totals', 'Teachers']} />
        <tbody>
          {task.sets.flatMap((set) =>
            set.tests.map(({ testId, name, entered: totals }) => (
              <tr key={set.setId + testId} data-missing={totals === 0 || undefined}>
                <th scope="row">{set.name}</th>
                <td className={styles.text}>{name}</td>
                <td className={styles.text}>
                  {totals === 0 ? 'None yet' : enteredText({ entered: totals, students: set.students })}
                  <MissingOf text={missing.get(mapKey({ setId: set.setId, testId }))} />
                </td>
                <td className={styles.text}>{teachersOf(set)}</td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
      {task.otherSets.length > 0 && (
        <p className="muted small">
          {task.otherSets.length} of {task.sets.length + task.otherSets.length} sets {task.otherSets.length === 1 ? 'is' : 'are'} not in
          this task
          {task.otherSets.length <= 6 && `: ${task.otherSets.map(({ name }) => name).join(', ')}`}. Their students are not ranked.
        </p>
      )}
    </>
  );
};

const MissingOf = ({ text }: { readonly text: string | undefined }) =>
  text !== undefined && <div className="muted small">Without a total: {text}</div>;

export const teachersOf = ({ teachers }: Pick<Task['sets'][number], 'teachers'>): string =>
  teachers.length === 0 ? 'No teacher yet' : teachers.map(({ name }) => name ?? 'Forgotten teacher').join(', ');
