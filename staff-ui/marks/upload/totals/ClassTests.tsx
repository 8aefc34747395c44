import { Button } from '../../../../ui/controls/Button.tsx';
import { counted } from '../../../format.ts';
import type { Choice, Test, UploadClass } from './choice.ts';
import { forAll, sameForAll, testsOf } from './choice.ts';
import styles from './ClassTests.module.css';
import { TestPicker } from './TestPicker.tsx';

type ClassTestsProps = {
  readonly classes: readonly UploadClass[];
  readonly tests: readonly Test[];
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
  /** Moves the focus past the classes; omitted: there is nothing to confirm yet. */
  readonly onSkip: (() => void) | undefined;
};

/** Up to this many classes the keyboard needs no way past them. */
const FEW = 3;

/** A choice of tests for each class of the file. One choice can be copied to all classes, since there may be 26. */
export const ClassTests = ({ classes, tests, choice, onChoose, onSkip }: ClassTestsProps) => {
  const same = sameForAll(classes, choice);
  return (
    <section className={styles.classes} aria-label="Select Tests (In the order they appear in upload)">
      <h3 className={styles.label}>Select Tests (In the order they appear in upload)</h3>
      {onSkip && classes.length > FEW && (
        <Button className={styles.skip} onClick={onSkip}>
          Skip the {classes.length} classes
        </Button>
      )}
      <ul className="ruled">
        {classes.map((one) => {
          const chosen = choice[one.setId] ?? [];
          return (
            <li key={one.setId} className={styles.row}>
              <p>
                <b>{one.name}</b> <span className="small muted">{counted(one.students, 'student')}</span>
              </p>
              <TestPicker
                label={`Select Tests (In the order they appear in upload) for ${one.name}`}
                {...testsOf(one, tests)}
                chosen={chosen}
                onChoose={(next) => onChoose({ ...choice, [one.setId]: next })}
              />
              {!same && chosen.length > 0 && (
                <Button
                  look="plain"
                  className={styles.all}
                  aria-label={`Use the tests of ${one.name} for all classes`}
                  onClick={() => onChoose(forAll(classes, chosen))}
                >
                  Use for all classes
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
};
