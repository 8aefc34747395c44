import type { SchoolYearPlan } from '#api/school/school-year/school-year.contract';
import type { Structure } from '#api/school/school.contract';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { counted } from '../../format.ts';
import { Details } from './Details.tsx';
import styles from './SchoolYear.module.css';
import { StudentsDialog } from './StudentsDialog.tsx';
import type { GoingOn, PlannedSet } from './suggestion.ts';

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
  const becomes = plan.yearGroups.find((one) => one.yearGroupId === yearGroupId)?.year ?? null;
  const going = plan.sets.flatMap((set) => ('name' in set.becomes ? { setId: set.setId, ...set.becomes } : []));
  const choices = [...new Set([year, year + 1, ...(becomes === null ? [] : [becomes])])];
  const changeSet = (setId: string, to: PlannedSet['becomes']) =>
    onChange({ sets: [...plan.sets.filter((set) => set.setId !== setId), { setId, becomes: to }] });
  return (
    <section className={styles.section} aria-label={`Year ${year}`}>
      <div className={styles.title}>
        <h2>Year {year}</h2>
        <Select
          label={`Year ${year} becomes`}
          value={becomes === null ? '' : String(becomes)}
          onChange={({ target }) => onYear(target.value === '' ? null : Number(target.value))}
        >
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
          <Table label={`Classes of Year ${year}`} isList>
            <thead>
              <tr>
                <th scope="col">Now</th>
                <th scope="col">What becomes of it</th>
                <th scope="col">Name</th>
                <th scope="col">Scheme of work, assessments and teachers</th>
                <th scope="col">Students</th>
              </tr>
            </thead>
            <tbody>
              {sets.map((set) => {
                const planned = plan.sets.find(({ setId }) => setId === set.setId);
                const to = planned?.becomes ?? { into: null };
                return (
                  <tr key={set.setId}>
                    <th scope="row">{set.name}</th>
                    <td>
                      <select
                        className={styles.select}
                        aria-label={`What becomes of ${set.name}`}
                        value={'name' in to ? 'on' : (to.into ?? '')}
                        onChange={({ target }) =>
                          changeSet(
                            set.setId,
                            target.value === 'on' ? { name: set.name, year: becomes ?? year } : { into: target.value || null },
                          )
                        }
                      >
                        <option value="on">Goes on</option>
                        <option value="">Ends: to Off-Roll</option>
                        {going
                          .filter(({ setId }) => setId !== set.setId)
                          .map(({ setId, name }) => (
                            <option key={setId} value={name}>
                              Merges into {name}
                            </option>
                          ))}
                      </select>
                    </td>
                    <td>
                      {'name' in to && (
                        <input
                          className={styles.input}
                          aria-label={`Name of ${set.name} in the new year`}
                          value={to.name}
                          maxLength={200}
                          onChange={({ target }) => changeSet(set.setId, { ...to, name: target.value })}
                        />
                      )}
                    </td>
                    <td>
                      {'name' in to && (
                        <Details
                          name={to.name}
                          structure={structure}
                          value={{ ...standing(structure, set), ...to }}
                          onChange={(details) => changeSet(set.setId, { ...to, ...details } satisfies GoingOn)}
                        />
                      )}
                    </td>
                    <td>
                      <Button
                        look="plain"
                        aria-label={`Students of ${set.name}`}
                        disabled={set.students === 0}
                        onClick={() => setStudents(set)}
                      >
                        {counted(set.students, 'student')}
                      </Button>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </Table>
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

const standing = ({ teachers }: Structure, { setId, schemeId, testIds }: Group['sets'][number]) => ({
  ...(schemeId === null ? {} : { schemeId }),
  testIds,
  teacherIds: teachers.filter(({ setIds }) => setIds.includes(setId)).map(({ teacherId }) => teacherId),
});
