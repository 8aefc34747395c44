import type { SchoolYearPlan } from '#api/school/school-year/school-year.contract';
import { useGetList } from 'react-admin';
import { Button } from '../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import { FormDialog } from '../../dialog/FormDialog.tsx';
import type { Student } from '../../students/student.ts';
import styles from './SchoolYear.module.css';

type StudentsDialogProps = {
  readonly subjectId: string;
  readonly set: { readonly setId: string; readonly name: string };
  readonly plan: SchoolYearPlan;
  readonly onClose: () => void;
  /** `of`: all whom it is about */
  readonly onChange: (moves: SchoolYearPlan['students'], of: readonly string[]) => void;
};

/** Where each student of a set goes, if not with the set: a set is split by it. */
export const StudentsDialog = ({ subjectId, set, plan, onClose, onChange }: StudentsDialogProps) => {
  const { data, error, isPending, refetch } = useGetList<Student>('students', {
    filter: { subjectId, setId: set.setId },
    pagination: { page: 1, perPage: 1_000 },
    sort: { field: 'name', order: 'ASC' },
  });
  const own = plan.sets.find(({ setId }) => setId === set.setId)?.becomes;
  const stays = !own ? 'Not said yet' : 'name' in own ? own.name : (own.into ?? 'Off-Roll');
  const names = [...plan.sets.flatMap(({ becomes }) => ('name' in becomes ? becomes.name : [])), ...plan.newSets.map(({ name }) => name)];
  const moves = new Map(plan.students.map(({ studentId, to }) => [studentId, to]));
  const choose = (studentId: string, value: string) =>
    onChange(value === WITH_SET ? [] : [{ studentId, to: value === OFF_ROLL ? null : value.slice(NAMED.length) }], [studentId]);
  return (
    <FormDialog title={`Students of ${set.name}`} onClose={onClose} size="fit">
      <div className="pad">
        {error && <Failure error={error} retry={() => void refetch()} />}
        {isPending && <Skeleton rows={6} />}
        {data && (
          <Table label={`Students of ${set.name}`} isList cardsBelow={600}>
            <Heads names={['StudentID', 'Name', 'In the new year']} />
            <tbody>
              {data.map(({ studentId, admissionNo, name }) => {
                const to = moves.get(studentId);
                return (
                  <tr key={studentId}>
                    <td data-label="StudentID">{admissionNo}</td>
                    <th scope="row">{name ?? 'Forgotten student'}</th>
                    <td data-label="In the new year">
                      <select
                        className={styles.select}
                        aria-label={`${name ?? 'Forgotten student'} in the new year`}
                        value={to === undefined ? WITH_SET : to === null ? OFF_ROLL : NAMED + to}
                        onChange={({ target }) => choose(studentId, target.value)}
                      >
                        <option value={WITH_SET}>{stays}, as the class</option>
                        {names.map((one) => (
                          <option key={one} value={NAMED + one}>
                            {one}
                          </option>
                        ))}
                        <option value={OFF_ROLL}>Off-Roll</option>
                      </select>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </Table>
        )}
      </div>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </FormDialog>
  );
};

const WITH_SET = 'with the class';
const OFF_ROLL = 'off-roll';
const NAMED = 'to ';
