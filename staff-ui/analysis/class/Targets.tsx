import { LEAST_STUDENTS } from '#api/analysis/averages.formula';
import { ENOUGH_RELIABILITY } from '#api/analysis/items.formula';
import type { TargetOrder } from '#api/analysis/targets.formula';
import { counted, difference, oneDecimal } from '../../format.ts';
import { useExplain } from '../figures/Explanations.tsx';
import { OpenFlag } from '../figures/OpenFlag.tsx';
import { questionOf } from './bearing-rows.tsx';
import styles from './Targets.module.css';
import type { Completed } from './useClassHome.ts';

type TargetsProps = { readonly test: Completed; readonly setId: string; readonly students: number; readonly order: TargetOrder };

/** Where the class is strong and weak in an assessment, question by question; each opens the marks behind it. */
export const Targets = ({ test, setId, students, order }: TargetsProps) => {
  if (test.questions.length === 0)
    return <p className="small muted">Strengths and weaknesses show as soon as question marks are entered.</p>;
  const { strengths, weaknesses } = test.targets[order];
  const noDifference = noDifferenceText(test);
  const of = { test, setId, hasDifference: order === 'comparison' && noDifference === undefined };
  return (
    <div className={styles.targets}>
      <List title="Strengths" none="no strength listed" entries={strengths} {...of} />
      <List title="Weaknesses" none="no weakness listed" entries={weaknesses} {...of} />
      <p className={`tiny muted ${styles.note}`}>
        {restsText(test, students)} {order === 'comparison' && noDifference} {evidenceText(test.reliability)}
      </p>
    </div>
  );
};

/** 'Marks of 15 of 30 students.' */
const restsText = ({ questions: [first] }: Pick<Completed, 'questions'>, students: number): string =>
  `Marks of ${first?.own.n ?? 0} of ${counted(students, 'student')}.`;

/** Why no difference from all students is shown; undefined: it is. The class is part of them. */
export const noDifferenceText = ({ questions: [first] }: Pick<Completed, 'questions'>): string | undefined => {
  if (!first) return undefined;
  if (first.own.n === first.all.n) return 'All students with marks are in this class: there is nobody else to compare with.';
  return first.own.n < LEAST_STUDENTS
    ? `Below ${LEAST_STUDENTS} students with marks, no difference from all students is shown.`
    : undefined;
};

const evidenceText = (reliability: number | null): string =>
  reliability === null
    ? 'Each rests on one question; too few students sat it to say how reliable that is.'
    : `Each rests on one question, reliability ${reliability.toFixed(2)}${reliability < ENOUGH_RELIABILITY ? ': not enough evidence, only a hint of where to look' : ''}.`;

type Shown = Pick<TargetsProps, 'test' | 'setId'> & { readonly hasDifference: boolean };
type ListProps = Shown & {
  readonly title: string;
  readonly none: string;
  readonly entries: Completed['targets'][TargetOrder]['strengths'];
};

const List = ({ title, none, entries, ...of }: ListProps) => (
  <section aria-label={`${title}, ${of.test.name}`}>
    <h4 className="tiny muted">{title}</h4>
    {entries.length === 0 ? (
      <p className="small muted">{none}</p>
    ) : (
      <ol>
        {entries.map((entry) => (
          <Entry key={entry.questionId} entry={entry} {...of} />
        ))}
      </ol>
    )}
  </section>
);

const Entry = ({ entry, test, setId, hasDifference }: Shown & { readonly entry: ListProps['entries'][number] }) => {
  const explain = useExplain();
  const question = test.questions.find(({ questionId }) => questionId === entry.questionId);
  if (!question) return null;
  const act = () => explain(questionOf({ setId, testId: test.testId, test: test.name, ...question }));
  const percent = `${oneDecimal(100 * entry.ratio)} %`;
  const against = hasDifference ? difference(100 * entry.difference) : undefined;
  return (
    <li>
      <button
        type="button"
        className="pick small"
        title="How it came about"
        aria-label={`Question ${question.number} ${question.topic}: ${percent}${against === undefined ? '' : `, ${against} against all students`}`}
        onClick={act}
      >
        <span className="breaks">
          Q{question.number} {question.topic}
        </span>
        <span className="figure">{percent}</span>
        {against !== undefined && (
          <span className={`figure ${entry.difference < 0 ? 'failed' : 'muted'} ${styles.against}`}>{against}</span>
        )}
      </button>
      <OpenFlag
        // All students include the class.
        open={(hasDifference ? question.all.open : undefined) ?? question.own.open}
        of={`question ${question.number}`}
        onDecide={act}
      />
    </li>
  );
};
