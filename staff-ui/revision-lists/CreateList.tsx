import { useId, useState } from 'react';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import type { Edits, Page } from './edits.ts';
import { NO_EDITS, seenAnew, shownOf, toSave, undoOf } from './edits.ts';
import { HeaderTable } from './HeaderTable.tsx';
import { QuestionTable } from './QuestionTable.tsx';
import styles from './RevisionLists.module.css';

type CreateListProps = {
  readonly subjectId: string;
  readonly page: Page;
  readonly edits: Edits;
  readonly setEdits: (change: (edits: Edits) => Edits) => void;
  readonly refetch: () => Promise<{ readonly data?: { readonly test: Page['test'] | null } | undefined }>;
};

/** Headers on one side, questions on the other: what is ticked stands under the header that is chosen. */
export const CreateList = ({ subjectId, page, edits, setEdits, refetch }: CreateListProps) => {
  const { headers, test } = page;
  const [isEditing, setEditing] = useState(headers.length === 0);
  const [picked, setPicked] = useState<string>();
  const chosen = headers.find(({ headerId }) => headerId === picked) ?? headers[0];
  const headersId = useId();
  useUnsaved(edits.size > 0, 'part');
  const about = { subjectId, testId: test.testId };
  const forgetEdits = () => setEdits(() => NO_EDITS);
  const save = useCommand('SaveRevisionList', {
    input: () => ({ ...about, questions: toSave(edits, page) }),
    notice: () => 'Done',
    undo: ({ commandId }) => undoOf(subjectId, commandId),
    onDone: forgetEdits,
    onFailed: async (error) => {
      if (!isRefused(error, 'conflict')) return;
      const { data } = await refetch();
      if (data?.test) setEdits((mine) => seenAnew(mine, data.test?.questions ?? []));
    },
    showsError: true,
  });
  const clear = useCommand('ClearRevisionList', {
    input: () => ({ ...about, was: test.questions.map(({ questionId, headerId, text }) => ({ questionId, headerId, text })) }),
    notice: () => 'Done',
    undo: ({ commandId, changed }) => (changed > 0 ? undoOf(subjectId, commandId) : undefined),
    onDone: forgetEdits,
    showsError: true,
  });
  const open = test.questions.filter((question) => question.suggested !== null && shownOf(question, edits, headers).headerId === null);
  const suggest = useCommand('SaveRevisionList', {
    input: () => ({
      ...about,
      questions: open.map(({ questionId, headerId, text, suggested }) => ({
        questionId,
        headerId: null,
        ...(suggested !== null && { header: suggested }),
        text,
        was: { headerId, text },
      })),
    }),
    notice: ({ changed }) =>
      `${changed === 1 ? '1 question stands' : `${changed} questions stand`} under the topic of the scheme of work. Change what does not fit.`,
    undo: ({ commandId }) => undoOf(subjectId, commandId),
    onDone: () => {
      setEditing(false);
      setEdits((mine) => new Map([...mine].filter(([questionId]) => !open.some((one) => one.questionId === questionId))));
    },
    showsError: true,
  });
  const pending = save.pending || clear.pending || suggest.pending;
  const failed = save.error ?? clear.error ?? suggest.error;
  const isEmpty = edits.size === 0 && test.questions.every(({ headerId, text }) => headerId === null && text === null);
  const forget = () => [save, clear, suggest].forEach((one) => one.forget());
  if (test.questions.length === 0) return <p className="pad">{test.name} has no questions yet. An admin of your school adds them.</p>;
  return (
    <>
      <div className={`pad ${styles.create}`}>
        <section className="stack gap-3" aria-labelledby={headersId}>
          <div className={`line apart ${styles.head}`}>
            <h4 id={headersId}>Topic headers</h4>
            <Button aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
              Edit Topic Headers
            </Button>
          </div>
          {isEditing ? (
            <HeaderTable subjectId={subjectId} page={page} reset={() => void refetch()} />
          ) : (
            <HeaderChoice page={page} edits={edits} chosen={chosen?.headerId} onChoose={setPicked} />
          )}
          {open.length > 0 && (
            <div className="line gap-3">
              <Button className="rigid" disabled={pending} onClick={() => void suggest.send()}>
                Suggest a list
              </Button>
              <p className="muted small">
                Puts {open.length === 1 ? 'the question' : `the ${open.length} questions`} without a header under the topic of the scheme of
                work that {open.length === 1 ? 'it is' : 'each is'} mapped to.
              </p>
            </div>
          )}
        </section>
        <QuestionTable
          page={page}
          edits={edits}
          chosen={chosen}
          onEdit={(change) => {
            forget();
            setEdits(change);
          }}
        />
      </div>
      <DialogFoot>
        {failed !== undefined && <SaveFailed error={failed} />}
        <Button disabled={pending || isEmpty} onClick={() => void clear.send()}>
          Clear
        </Button>
        <Button look="primary" disabled={pending || edits.size === 0} onClick={() => void save.send()}>
          {edits.size > 0 ? `Save (${edits.size})` : 'Save'}
        </Button>
      </DialogFoot>
    </>
  );
};

type HeaderChoiceProps = {
  readonly page: Page;
  readonly edits: Edits;
  readonly chosen: string | undefined;
  readonly onChoose: (headerId: string) => void;
};

/** The headers, each with the questions of this assessment under it. */
const HeaderChoice = ({ page: { headers, test }, edits, chosen, onChoose }: HeaderChoiceProps) => {
  const name = useId();
  if (headers.length === 0) return <p className="muted small">There is no topic header yet. Add one with Edit Topic Headers.</p>;
  return (
    <fieldset className={styles.choices}>
      <legend>Put the questions that you tick under</legend>
      {headers.map(({ headerId, name: header }) => {
        const under = test.questions.filter((question) => shownOf(question, edits, headers).headerId === headerId);
        return (
          <div key={headerId} className={styles.header} data-chosen={headerId === chosen || undefined}>
            <label className="line strong breaks">
              <input type="radio" name={name} checked={headerId === chosen} onChange={() => onChoose(headerId)} />
              <span>{header}</span>
            </label>
            {under.length > 0 && (
              <ul>
                {under.map((question) => (
                  <li key={question.questionId} className="line top small breaks">
                    <span className={`figure muted rigid ${styles.number}`}>{question.number}</span>{' '}
                    {shownOf(question, edits, headers).text ?? question.topic}
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
    </fieldset>
  );
};

/** Names what a colleague has changed, question by question; the list above shows it already. */
const SaveFailed = ({ error }: { readonly error: unknown }) => (
  <div className={styles.failed}>
    <Notice tone="bad" title={sentence(error)}>
      {isRefused(error, 'conflict') && error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ path, message }) => (
            <li key={path}>{message}</li>
          ))}
        </ul>
      )}
    </Notice>
  </div>
);
