import { messages } from '#api/contract/limits';
import { useState } from 'react';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import type { Test } from './choice.ts';
import { added, usable } from './choice.ts';
import styles from './TestPicker.module.css';

type TestPickerProps = {
  readonly label: string;
  /** Tests chosen for the class, and the other tests of the subject. */
  readonly ownTests: readonly Test[];
  readonly others: readonly Test[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
};

/** An ordered multi-select: a list to add from, and a chip 'Test 1 ...' per choice with a remove button. */
export const TestPicker = ({ label, ownTests, others, chosen, onChoose }: TestPickerProps) => {
  const [tooMany, setTooMany] = useState(false);
  const choose = (next: readonly string[] | 'too many') => {
    setTooMany(next === 'too many');
    if (next !== 'too many') onChoose(next);
  };
  const tests = [...ownTests, ...others];
  const left = (some: readonly Test[]) => some.filter(({ testId }) => !chosen.includes(testId)).map(optionOf);
  return (
    <div className="row">
      {chosen.length > 0 && (
        <ol className="row" aria-label={label}>
          {chosen.map((testId, column) => {
            const name = tests.find((test) => test.testId === testId)?.name ?? '';
            return (
              <li key={testId} className={`line ${styles.chip}`}>
                <span className="tiny strong">Test {column + 1}</span> {name}
                <button
                  type="button"
                  className="pick"
                  aria-label={`Take out Test ${column + 1}, ${name}`}
                  onClick={() => choose(chosen.filter((one) => one !== testId))}
                >
                  <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                    <path d="m2 2 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.6" />
                  </svg>
                </button>
              </li>
            );
          })}
        </ol>
      )}
      {chosen.length < tests.length && (
        <select className="field" aria-label={label} value="" onChange={(event) => choose(added(chosen, event.target.value))}>
          <option value="" disabled>
            {chosen.length === 0 ? 'Select Test 1…' : `Add Test ${chosen.length + 1}…`}
          </option>
          {left(ownTests)}
          {ownTests.length > 0 && left(others).length > 0 ? <optgroup label="Other assessments">{left(others)}</optgroup> : left(others)}
        </select>
      )}
      {tests.length === 0 && <p className="muted">This subject has no assessment yet.</p>}
      {tooMany && <Notice tone="bad" title={messages.tooManyTests} />}
    </div>
  );
};

const optionOf = (test: Test) => (
  <option key={test.testId} value={test.testId} disabled={!usable(test)}>
    {test.name}
    {usable(test) ? ` (of ${test.max})` : ': add its questions first'}
  </option>
);
