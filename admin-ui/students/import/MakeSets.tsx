import { typedNumber, wrongYear } from '#api/contract/rules';
import type { Structure } from '#api/school/school.contract';
import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import type { SendCommand } from '../../../ui/sending/useSend.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { ChipsInput } from '../../drafts/ChipsInput.tsx';
import { counted, listed } from '../../format.ts';
import styles from './ImportPage.module.css';
import type { Corrections } from './sets-to-make.ts';
import { groupsOf, inCommon, setsToMake } from './sets-to-make.ts';
import { SetsToMake } from './SetsToMake.tsx';

type MakeSetsProps = { readonly subjectId: string; readonly structure: Structure; readonly names: readonly string[] };

/** Sets of the file that do not exist yet: made at once, each in its year group with its scheme of work, all with the same assessments. */
export const MakeSets = ({ subjectId, structure: { yearGroups, schemes, tests }, names }: MakeSetsProps) => {
  const [corrected, setCorrected] = useState<Corrections>({});
  // The only assessment is preselected.
  const [testIds, setTestIds] = useState<readonly string[]>(tests.length === 1 ? tests.map(({ testId }) => testId) : []);
  const sets = setsToMake(names, schemes, corrected);
  const years = [...new Set(sets.map((set) => typedNumber(set.year)))].toSorted((a, b) => a - b);
  const { send, pending, error } = useSend({
    act: async (_: void, command) => {
      const added: string[] = [];
      const setIds: string[] = [];
      const yearGroupIds = new Map(yearGroups.map((group) => [group.year, group.yearGroupId]));
      try {
        for (const { year, schemeId, names: together } of groupsOf(sets)) {
          let yearGroupId = yearGroupIds.get(year);
          if (yearGroupId === undefined) {
            ({ yearGroupId } = await command('AddYearGroup', { subjectId, year }));
            yearGroupIds.set(year, yearGroupId);
            added.push(yearGroupId);
          }
          const made = await command('AddSets', { subjectId, yearGroupId, schemeId, names: [...together], testIds: [...testIds] });
          setIds.push(...made.setIds);
        }
      } catch (refused) {
        // All or none: why it was refused is what the user reads, whatever becomes of this.
        await withoutThem(command, { setIds, yearGroupIds: added }).catch(() => undefined);
        throw refused;
      }
      return { setIds };
    },
    invalidates: 'everything',
    notice: () => `${counted(names.length, 'set')} made in ${years.length === 1 ? 'year' : 'years'} ${listed(years.map(String))}.`,
    undo:
      ({ setIds }) =>
      (command) =>
        withoutThem(command, { setIds, yearGroupIds: [] }),
    showsError: true,
  });
  const withoutThem = async (
    command: SendCommand,
    { setIds, yearGroupIds }: Readonly<Record<'setIds' | 'yearGroupIds', readonly string[]>>,
  ): Promise<void> => {
    if (setIds.length > 0) await command('DeleteSets', { subjectId, setIds: [...setIds] });
    for (const yearGroupId of yearGroupIds) await command('DeleteYearGroup', { subjectId, yearGroupId });
  };

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
      <div className={styles.make}>
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
          disabled={pending || sets.some((set) => wrongYear(typedNumber(set.year)) !== undefined || set.schemeId === '')}
          onClick={() => void send()}
        >
          {pending ? 'Making them…' : `Make ${counted(names.length, 'set')}`}
        </Button>
      </div>
      {sets.length > 1 && <SetsToMake sets={sets} schemes={schemes} onCorrect={(name, change) => correct([name], change)} />}
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
    </>
  );
};
