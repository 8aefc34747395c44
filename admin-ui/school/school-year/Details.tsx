import type { Structure } from '#api/school/school.contract';
import { MenuItem, TextField } from '@mui/material';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { FormDialog } from '../../dialog/FormDialog.tsx';
import { ChipsInput } from '../../drafts/ChipsInput.tsx';
import { counted, listed } from '../../format.ts';
import styles from './SchoolYear.module.css';

type Value = {
  readonly schemeId?: string | undefined;
  readonly testIds?: readonly string[] | undefined;
  readonly teacherIds?: readonly string[] | undefined;
};
export type DetailsProps = {
  /** of the set in the new year */
  readonly name: string;
  readonly structure: Structure;
  readonly value: Value;
  readonly onChange: (value: {
    readonly schemeId?: string;
    readonly testIds?: readonly string[];
    readonly teacherIds?: readonly string[];
  }) => void;
};

/** What a set has in the new year, in a line; a dialog changes it. */
export const Details = ({ name, structure, value, onChange }: DetailsProps) => {
  const [open, setOpen] = useState(false);
  const { schemes, tests } = structure;
  const { schemeId = '', testIds = [], teacherIds = [] } = value;
  const teachers = structure.teachers.map(({ teacherId, name: called }) => ({ id: teacherId, name: called ?? 'Forgotten teacher' }));
  const named = teachers.filter(({ id }) => teacherIds.includes(id)).map((teacher) => teacher.name);
  const scheme = schemes.find((one) => one.schemeId === schemeId);
  return (
    <>
      <Button
        look="plain"
        className={styles.details}
        aria-label={`Change scheme of work, assessments and teachers of ${name}`}
        onClick={() => setOpen(true)}
      >
        {[scheme?.name ?? 'No scheme of work', counted(testIds.length, 'assessment'), named.length > 0 ? listed(named) : 'No teacher'].join(
          ' · ',
        )}
      </Button>
      {open && (
        <FormDialog title={`${name} in the new year`} onClose={() => setOpen(false)}>
          <div className="stack gap-4 pad">
            <TextField select label="Scheme of work" value={schemeId} onChange={({ target }) => onChange({ schemeId: target.value })}>
              {schemes.map((one) => (
                <MenuItem key={one.schemeId} value={one.schemeId}>
                  {one.name}
                </MenuItem>
              ))}
            </TextField>
            <ChipsInput
              label="Mapped assessments"
              choices={tests.map((test) => ({ id: test.testId, name: test.name }))}
              chosen={testIds}
              onChange={(ids) => onChange({ testIds: [...ids] })}
            />
            <ChipsInput label="Teachers" choices={teachers} chosen={teacherIds} onChange={(ids) => onChange({ teacherIds: [...ids] })} />
          </div>
          <DialogFoot>
            <Button look="primary" onClick={() => setOpen(false)}>
              Done
            </Button>
          </DialogFoot>
        </FormDialog>
      )}
    </>
  );
};
