import type { ResidualsAnswer } from '#api/analysis/tests.contract';
import { counted, fourDecimals } from '../../format.ts';
import { NO_LINE } from './beside.ts';
import styles from './MarkbookPage.module.css';

export const Legend = () => (
  <ul className={`row tiny muted ${styles.legend}`} aria-label="Signs">
    <li className="line">
      <i className={styles.mark} data-band="green" /> above mean + SD
    </li>
    <li className="line">
      <i className={styles.mark} data-band="amber" /> above mean − SD
    </li>
    <li className="line">
      <i className={styles.mark} data-band="red" /> above 0
    </li>
    <li className="line">
      <i className={styles.mark} data-contested /> several values, of the total or attendance
    </li>
    <li className="line">
      <b>A</b> absent
    </li>
    <li className="line">
      <b>E</b> exempt
    </li>
    <li className="line">
      <b>!</b> above the maximum
    </li>
    <li className="line">
      <b>*</b> overridden by the leader, the residual is of the computed rank; or a total has changed since the ranking
    </li>
  </ul>
);

/** What the columns beside the residual are. `answer`: undefined until it is there. */
export const AboutBeside = ({ answer }: { readonly answer: ResidualsAnswer | undefined }) => (
  <p className={`tiny muted ${styles.about}`}>
    {answer &&
      (answer.line
        ? `Regression residual: the score minus what students with the same prior usually get, ${fourDecimals(answer.line.a)} + ${fourDecimals(answer.line.b)} × prior, over ${counted(answer.line.n, 'student')} with both. Its mean in the class is coloured only where the 95 % interval excludes 0.`
        : NO_LINE)}{' '}
    Standardised score (mean 100, SD 15, within 60 and 140) and percentile rank: this cohort, not national.
  </p>
);
