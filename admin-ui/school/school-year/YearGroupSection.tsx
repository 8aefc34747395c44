import type { SchoolYearPlan } from '#api/school/school-year/school-year.contract';
import type { Structure } from '#api/school/school.contract';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { counted } from '../../format.ts';
import { ClassRow, ClassTable } from './ClassTable.tsx';
import styles from './SchoolYear.module.css';
import { StudentsDialog } from './StudentsDialog.tsx';
import type { PlannedSet } from './suggestion.ts';

type Group = Structure['yearGroups'][number];
type SectionProps = {
  readonly subjectId: string;
  readonly group: Group;
  readonly structure: Structure;
  readonly plan: SchoolYearPlan;
  readonly onYear: (year: number | null) => void;
  readonly onChange: (changes: Partial<SchoolYearPlan>) => void;
};

/** A year group of now: what it becomes, and each of its sets. */
export const YearGroupSection = ({ subjectId, group, structure, plan, onYear, onChange }: SectionProps) => {
  const [students, setStudents] = useState<Group['sets'][number]>();
  const { year, sets, yearGroupId } = group;
  const becomes = plan.yearGroups.find((one) => one.yearGroupId === yearGroupId)?.year;
  const going = plan.sets.flatMap((set) => ('name' in set.becomes ? { setId: set.setId, ...set.becomes } : []));
  const choices = [...new Set([year, year + 1, ...(becomes ? [becomes] : [])])];
  const changeSet = (setId: string, to: PlannedSet['becomes']) =>
    onChange({ sets: [...plan.sets.filter((set) => set.setId !== setId), { setId, becomes: to }] });
  return (
    <section className={`stack ${styles.section}`} aria-label={`Year ${year}`}>
      <div className={`row gap-4 ${styles.head}`}>
        <h2>Year {year}</h2>
        <Select
          label={`Year ${year} becomes`}
          aria-invalid={becomes === undefined}
          value={becomes === undefined ? OPEN : String(becomes ?? '')}
          onChange={({ target }) => onYear(target.value === '' ? null : Number(target.value))}
        >
          {becomes === undefined && <option value={OPEN}>Say what becomes of it</option>}
          {choices.map((choice) => (
            <option key={choice} value={String(choice)}>
              Year {choice}
            </option>
          ))}
          <option value="">It ends: everybody leaves</option>
        </Select>
      </div>
      {sets.length > 0 && (
        // Of those that end there is nothing to look through.
        <details key={String(becomes)} open={becomes !== null}>
          <summary>
            {counted(sets.length, 'class', 'classes')},{' '}
            {counted(
              sets.reduce((sum, set) => sum + set.students, 0),
              'student',
            )}
          </summary>
          <ClassTable label={`Classes of Year ${year}`} heads={['Now', 'What becomes of it']} last="Students">
            {sets.map((set) => {
              const to = plan.sets.find(({ setId }) => setId === set.setId)?.becomes;
              const goesOn = to && 'name' in to ? to : undefined;
              return (
                <ClassRow
                  key={set.setId}
                  structure={structure}
                  value={goesOn && { ...standing(structure, set), ...goesOn }}
                  nameLabel={`Name of ${set.name} in the new year`}
                  cells={
                    <>
                      <th scope="row">{set.name}</th>
                      <td data-label="What becomes of it">
                        <select
                          className={styles.select}
                          aria-label={`What becomes of ${set.name}`}
                          aria-invalid={to === undefined}
                          value={fateOf(to)}
                          onChange={({ target: { value } }) =>
                            changeSet(
                              set.setId,
                              value === ON
                                ? { name: set.name, year: becomes ?? year }
                                : { into: value === ENDS ? null : value.slice(INTO.length) },
                            )
                          }
                        >
                          {to === undefined && <option value={OPEN}>Say what becomes of it</option>}
                          <option value={ON}>Goes on</option>
                          <option value={ENDS}>Ends: to Off-Roll</option>
                          {going
                            .filter(({ setId }) => setId !== set.setId)
                            .map(({ setId, name }) => (
                              <option key={setId} value={INTO + name}>
                                Merges into {name}
                              </option>
                            ))}
                        </select>
                      </td>
                    </>
                  }
                  last={
                    <Button
                      look="plain"
                      aria-label={`Students of ${set.name}`}
                      disabled={set.students === 0}
                      onClick={() => setStudents(set)}
                    >
                      {counted(set.students, 'student')}
                    </Button>
                  }
                  onChange={(said) => goesOn && changeSet(set.setId, { ...goesOn, ...said })}
                />
              );
            })}
          </ClassTable>
        </details>
      )}
      {students && (
        <StudentsDialog
          subjectId={subjectId}
          set={students}
          plan={plan}
          onClose={() => setStudents(undefined)}
          onChange={(moves, of) => onChange({ students: [...plan.students.filter(({ studentId }) => !of.includes(studentId)), ...moves] })}
        />
      )}
    </section>
  );
};

const fateOf = (becomes: PlannedSet['becomes'] | undefined): string => {
  if (becomes === undefined) return OPEN;
  if ('name' in becomes) return ON;
  return becomes.into === null ? ENDS : INTO + becomes.into;
};

/** The plan does not say it: the class, or the year group, is newer than the plan. */
const OPEN = 'open';
const ON = 'on';
const ENDS = 'ends';
const INTO = 'into ';

const standing = ({ teachers }: Structure, { setId, schemeId, testIds }: Group['sets'][number]) => ({
  ...(schemeId === null ? {} : { schemeId }),
  testIds,
  teacherIds: teachers.filter(({ setIds }) => setIds.includes(setId)).map(({ teacherId }) => teacherId),
});
