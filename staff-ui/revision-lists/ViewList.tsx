import { useId } from 'react';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useStructure } from '../queries.ts';
import { setsInOrder } from '../shell/place.ts';
import { useOwnClasses } from '../shell/viewed/TeacherProvider.tsx';
import { DownloadList } from './DownloadList.tsx';
import type { Page } from './edits.ts';
import { listOf } from './edits.ts';
import styles from './RevisionLists.module.css';

/** The list as it is handed out. */
export const ViewList = ({ page, hasEdits }: { readonly page: Page; readonly hasEdits: boolean }) => {
  const own = useOwnClasses(useStructure().data);
  const sitting = (own?.yearGroups ?? []).flatMap(setsInOrder).filter(({ testIds }) => testIds.includes(page.test.testId));
  const list = listOf(page);
  const titleId = useId();
  return (
    <div className={styles.view}>
      <section className={styles.list} aria-labelledby={titleId}>
        <h4 id={titleId}>Revision Checklist: {page.test.name}</h4>
        {hasEdits && <Notice tone="warn" title="What you have changed is not saved yet, and not on this list." />}
        {list.length === 0 && <p className={styles.hint}>No question stands under a header yet: nothing can be downloaded.</p>}
        {list.map(({ headerId, name, under }) => (
          <section key={headerId} aria-label={name}>
            <h5>{name}</h5>
            <ul>
              {under.map(({ questionId, number, topic, text }) => (
                <li key={questionId}>
                  <span className={styles.number}>Q{number}</span> <span>{text ?? topic}</span>
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
