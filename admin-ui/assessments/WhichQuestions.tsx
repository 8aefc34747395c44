import type { HeldQuestion } from '#api/contract/questions';
import { TextField } from '@mui/material';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { counted, day } from '../format.ts';
import styles from './WhichQuestions.module.css';
import type { Choice } from './useWhich.ts';
import { heldBy, NEW } from './useWhich.ts';

type WhichQuestionsProps = {
  readonly choices: readonly Choice[];
  readonly leaving: readonly HeldQuestion[];
  readonly onChoose: (number: number, is: string) => void;
};

/** Marks belong to questions, not to their numbers: what each changed number was and becomes, and which question that is. */
export const WhichQuestions = ({ choices, leaving, onChoose }: WhichQuestionsProps) => (
  <>
    {choices.length > 0 && (
      <Notice
        tone="warn"
        title={`Which questions are these? Marks or mappings belong to ${counted(choices.length, 'number')} that the file changes.`}
      >
        Marks stay with the question that you choose. Another question starts without marks; those of the old one are hidden, and Undo
        brings them back.
      </Notice>
    )}
    {choices.length > 0 && (
      <ul className="stack gap-4" aria-label="Which questions the file means">
        {choices.map((one) => (
          <Which key={one.number} choice={one} onChoose={onChoose} />
        ))}
      </ul>
    )}
    {leaving.length > 0 && (
      <Notice tone="warn" title={`${counted(leaving.length, 'question')} with marks or mappings will leave the paper.`}>
        <ul>
          {leaving.map((question) => (
            <li key={question.questionId}>
              Question {question.number}, {inWords(question)}, with {heldBy(question)}
            </li>
          ))}
        </ul>
      </Notice>
    )}
  </>
);

const Which = ({ choice, onChoose }: { readonly choice: Choice; readonly onChoose: WhichQuestionsProps['onChoose'] }) => {
  const { number, topic, marksAvailable, was, mayBe, is, alsoUnder } = choice;
  const others = mayBe.filter((question) => question !== was);
  return (
    <li className={`stack gap-3 ${styles.choice}`}>
      <dl className="stack gap-1">
        <div>
          <dt className="muted">Was</dt>
          <dd className="breaks">{was ? `${inWords(was)}${withHeld(was)}` : `There was no question ${number}`}</dd>
        </div>
        <div>
          <dt className="muted">Becomes</dt>
          <dd className="breaks">{inWords({ topic, marksAvailable })}</dd>
        </div>
      </dl>
      <TextField
        select
        label={`Question ${number} is`}
        value={is ?? ''}
        error={is === undefined || alsoUnder !== undefined}
        helperText={effectOf(choice)}
        onChange={({ target }) => onChoose(number, target.value)}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        fullWidth
      >
        {is === undefined && <option value="">Choose…</option>}
        {was && <option value={was.questionId}>The same question</option>}
        {others.map((question) => (
          <option key={question.questionId} value={question.questionId}>
            {question.removedAt === null
              ? `Moved: it was question ${question.number}, ${inWords(question)}`
              : `Back again: question ${question.number}, ${inWords(question)}, deleted on ${day(question.removedAt)}`}
          </option>
        ))}
        <option value={NEW}>Another question, without marks</option>
      </TextField>
    </li>
  );
};

const inWords = ({ topic, marksAvailable }: Pick<HeldQuestion, 'topic' | 'marksAvailable'>): string => `“${topic}” (${marksAvailable})`;

const withHeld = (question: HeldQuestion): string => {
  const held = heldBy(question);
  return held && `, with ${held}`;
};

/** What the choice does, or why it is not one yet. */
const effectOf = ({ is, alsoUnder, mayBe }: Choice): string => {
  if (alsoUnder !== undefined) return `Chosen for question ${alsoUnder} too.`;
  if (is === undefined) return 'Choose which question this is.';
  const question = mayBe.find(({ questionId }) => questionId === is);
  const held = question ? heldBy(question) : '';
  return held === '' ? 'It starts without marks.' : `It keeps ${held}.`;
};
