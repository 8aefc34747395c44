import { typedNumber, wrongYear } from '#api/contract/rules';
import type { Structure } from '#api/school/school.contract';
import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { ChipsInput } from '../../drafts/ChipsInput.tsx';
import { counted } from '../../format.ts';
import styles from './ImportPage.module.css';

type MakeSetsProps = { readonly subjectId: string; readonly structure: Structure; readonly names: readonly string[] };

/** Sets of the file that do not exist yet: made at once, in one year group, with one scheme of work and the same assessments. */
export const MakeSets = ({ subjectId, structure: { yearGroups, schemes, tests }, names }: MakeSetsProps) => {
  const [year, setYear] = useState(guessYear(names));
  const [schemeId, setSchemeId] = useState(schemes[0]?.schemeId ?? '');
  // The only assessment is preselected.
  const [testIds, setTestIds] = useState<readonly string[]>(tests.length === 1 ? tests.map(({ testId }) => testId) : []);
  const { send, pending, error } = useSend({
    act: async (_: void, command) => {
      const known = yearGroups.find((group) => String(group.year) === year.trim());
      const { yearGroupId } = known ?? (await command('AddYearGroup', { subjectId, year: Number(year) }));
      return command('AddSets', { subjectId, yearGroupId, schemeId, names: [...names], testIds: [...testIds] });
    },
    invalidates: 'everything',
    notice: () => `${counted(names.length, 'set')} made in year ${year}.`,
    undo:
      ({ setIds }) =>
      (command) =>
        command('DeleteSets', { subjectId, setIds: [...setIds] }),
    showsError: true,
  });

  if (schemes.length === 0)
    return (
      <Notice tone="warn" title="These sets cannot be made yet: this subject has no scheme of work.">
        Add one under Schemes of Work, and come back with the file.
      </Notice>
    );
  const wrong = wrongYear(typedNumber(year)) === undefined ? undefined : 'An integer greater than zero';
  return (
    <>
      <div className={styles.make}>
        <TextField
          label="Year group"
          value={year}
          onChange={({ target }) => setYear(target.value)}
          error={wrong !== undefined}
          helperText={wrong ?? (yearGroups.some((group) => String(group.year) === year.trim()) ? '' : 'It will be added too.')}
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
        <TextField
          select
          label="Scheme of work"
          value={schemeId}
          onChange={({ target }) => setSchemeId(target.value)}
          slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        >
          {schemes.map((scheme) => (
            <option key={scheme.schemeId} value={scheme.schemeId}>
              {scheme.name}
            </option>
          ))}
        </TextField>
        {tests.length > 0 && (
          <ChipsInput
            label="Assessments that they sit"
            choices={tests.map(({ testId, name }) => ({ id: testId, name }))}
            chosen={testIds}
            onChange={setTestIds}
          />
        )}
        <Button variant="contained" disabled={pending || wrong !== undefined || schemeId === ''} onClick={() => void send()}>
          {pending ? 'Making them…' : `Make ${counted(names.length, 'set')}`}
        </Button>
      </div>
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
    </>
  );
};

/** 12X1, 12X2: year 12. */
const guessYear = (names: readonly string[]): string => {
  const years = new Set(names.map((name) => /^\d{1,2}/.exec(name)?.[0] ?? ''));
  return years.size === 1 ? ([...years][0] ?? '') : '';
};
