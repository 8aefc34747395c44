import { typedNumber, wrongYear } from '#api/contract/rules';
import type { Structure } from '#api/school/school.contract';
import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { ChipsInput } from '../../drafts/ChipsInput.tsx';
import { counted, listed } from '../../format.ts';
import type { Make } from './import-input.ts';
import styles from './ImportPage.module.css';
import type { Corrections } from './sets-to-make.ts';
import { groupsOf, inCommon, setsToMake } from './sets-to-make.ts';
import { SetsToMake } from './SetsToMake.tsx';

type MakeSetsProps = {
  readonly structure: Structure;
  readonly names: readonly string[];
  readonly onMake: (sets: readonly Make[]) => void;
};

/** Sets of the file that do not exist yet: made with the import, each in its year group with its scheme of work, all with the same assessments. */
export const MakeSets = ({ structure: { yearGroups, schemes, tests }, names, onMake }: MakeSetsProps) => {
  const [corrected, setCorrected] = useState<Corrections>({});
  // The only assessment is preselected.
  const [testIds, setTestIds] = useState<readonly string[]>(tests.length === 1 ? tests.map(({ testId }) => testId) : []);
  const sets = setsToMake(names, schemes, corrected);
  const years = [...new Set(sets.map((set) => typedNumber(set.year)))].toSorted((a, b) => a - b);
  const made = groupsOf(sets).map(({ year, schemeId, names: together }): Make => {
    const yearGroupId = yearGroups.find((group) => group.year === year)?.yearGroupId;
    return { in: yearGroupId === undefined ? { year } : { yearGroupId }, schemeId, names: [...together], testIds: [...testIds] };
  });

  if (schemes.length === 0)
    return (
      <Notice tone="warn" title="These sets cannot be made yet: this subject has no scheme of work.">
        Add one under Schemes of Work, and come back with the file.
      </Notice>
    );
  const correct = (some: readonly string[], change: Corrections[string]) =>
    setCorrected((now) => ({
      ...now,
      ...Object.fromEntries(setsToMake(some, schemes, now).map(({ name, ...set }) => [name, { ...set, ...change }])),
    }));
  const [year, schemeId] = [inCommon(sets.map((set) => set.year)), inCommon(sets.map((set) => set.schemeId))];
  const differ = year === '' && years.length > 1;
  const wrong = differ ? undefined : wrongYear(typedNumber(year));
  return (
    <>
      <div className={`row top gap-3 ${styles.make}`}>
        <TextField
          label="Year group"
          value={year}
          onChange={({ target }) => correct(names, { year: target.value })}
          error={wrong !== undefined}
          helperText={
            wrong ??
            (differ
              ? 'They differ: see below.'
              : yearGroups.some((group) => group.year === typedNumber(year))
                ? ''
                : 'It will be added too.')
          }
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
        <TextField
          select
          label="Scheme of work"
          value={schemeId}
          onChange={({ target }) => correct(names, { schemeId: target.value })}
          slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        >
          {schemeId === '' && <option value="">They differ: see below</option>}
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
        <Button
          variant="contained"
          disabled={sets.some((set) => wrongYear(typedNumber(set.year)) !== undefined || set.schemeId === '')}
          onClick={() => onMake(made)}
        >
          Make {counted(names.length, 'set')}
        </Button>
      </div>
      {sets.length > 1 && <SetsToMake sets={sets} schemes={schemes} onCorrect={(name, change) => correct([name], change)} />}
    </>
  );
};

/** More are read in the table beneath. */
const MOST_NAMED = 6;

type MadeSetsProps = { readonly make: readonly Make[]; readonly yearGroups: Structure['yearGroups']; readonly onChange: () => void };

/** What is decided about them. */
export const MadeSets = ({ make, yearGroups, onChange }: MadeSetsProps) => {
  const yearOf = ({ in: place }: Make): number | undefined =>
    'year' in place ? place.year : yearGroups.find(({ yearGroupId }) => yearGroupId === place.yearGroupId)?.year;
  const years = [...new Set(make.map((sets) => yearOf(sets) ?? 0))].toSorted((one, other) => one - other).map(String);
  const names = make.flatMap((sets) => sets.names);
  return (
    <Notice
      tone="good"
      title={`${counted(names.length, 'set')} in ${years.length === 1 ? 'year' : 'years'} ${listed(years)} will be made with the import${names.length > MOST_NAMED ? '' : `: ${listed(names)}`}.`}
      actions={
        <Button variant="outlined" size="small" onClick={onChange}>
          Change
        </Button>
      }
    />
  );
};
