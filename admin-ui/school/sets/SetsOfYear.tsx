import { wrongThresholds } from '#api/contract/rules';
import type { Structure } from '#api/school/school.contract';
import { ListBase, useDataProvider, useListContext } from 'react-admin';
import { Link } from 'react-router';
import { undoAct } from '../../../ui/sending/undo-act.ts';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useStructure } from '../../data/useStructure.ts';
import { SaveBar } from '../../drafts/SaveBar.tsx';
import type { SaveTogether } from '../../drafts/useDrafts.ts';
import { useDrafts } from '../../drafts/useDrafts.ts';
import { ListPager } from '../../list/ListPager.tsx';
import { ListStates } from '../../list/ListStates.tsx';
import { ListTools } from '../../list/ListTools.tsx';
import { useSearch } from '../../list/filters/SearchBox.tsx';
import type { TeachingSet, YearGroup, Choice } from './set.ts';
import { nameTrouble } from './set.ts';
import { ChosenSets } from './ChosenSets.tsx';
import { SetsTable } from './SetsTable.tsx';
import { useOffRollRemoval } from './useOffRollRemoval.tsx';
import { MenuItem, TextField } from '@mui/material';
import { memo, useMemo, useState } from 'react';
import { AddBox } from '../../drafts/AddBox.tsx';

const PAGE = 50;
/** More sets than these are searched and sorted. */
const FEW = 15;

const sorts = [
  { label: 'Name, A to Z', field: 'name', order: 'ASC' },
  { label: 'Name, Z to A', field: 'name', order: 'DESC' },
  { label: 'Scheme of work', field: 'scheme', order: 'ASC' },
  { label: 'Most students', field: 'students', order: 'DESC' },
  { label: 'Fewest students', field: 'students', order: 'ASC' },
] as const;

/** The sets of a year group, page by page. */
export const SetsOfYear = ({ yearGroup }: { readonly yearGroup: YearGroup }) => {
  const { id, subjectId } = yearGroup;
  return (
    <ListBase<TeachingSet>
      resource="sets"
      filter={{ subjectId, yearGroupId: id }}
      perPage={PAGE}
      sort={{ field: 'name', order: 'ASC' }}
      disableSyncWithLocation
      storeKey={false}
    >
      <Sets yearGroup={yearGroup} />
    </ListBase>
  );
};

/** Edited in place: nothing is stored before Save, which stores all in one. Input is kept while paging and searching. */
const Sets = ({ yearGroup: { id, subjectId, sets } }: { readonly yearGroup: YearGroup }) => {
  const { data, total = 0, selectedIds, onSelect, onUnselectItems } = useListContext<TeachingSet>();
  const { words } = useSearch();
  const structure = useStructure(subjectId);
  const known = useMemo(() => structure.data && knownOf(structure.data), [structure.data]);
  const drafts = useDrafts<TeachingSet>('sets', data, saveTogether(subjectId));
  const { ask, dialog } = useOffRollRemoval<TeachingSet>({
    resource: 'sets',
    called,
    after: (set) => {
      drafts.discard(set.id);
      onSelect(selectedIds.filter((chosen) => chosen !== set.id));
    },
  });
  const save = async () => {
    if (await drafts.save()) onUnselectItems();
  };
  if (!known) return structure.error ? <Failure error={structure.error} retry={() => void structure.refetch()} /> : <Skeleton rows={4} />;

  const { schemes, tests, years, names, teachersOf } = known;
  const typed = new Map(drafts.typed.map((set) => [set.id, set.name]));
  const wrongName = (set: TeachingSet) =>
    drafts.isChanged(set.id)
      ? nameTrouble(
          set.name,
          [...names, ...typed].flatMap(([setId, name]) =>
            setId === set.id || (name !== typed.get(setId) && typed.has(setId)) ? [] : name,
          ),
        )
      : undefined;
  const isValid = drafts.typed.every((set) => (wrongName(set) ?? wrongThresholds(set.thresholds)) === undefined);
  return (
    <>
      {schemes.length === 0 && (
        <Notice tone="warn" title="A set needs a scheme of work.">
          <Link to="/sow">Add a scheme of work</Link> first.
        </Notice>
      )}
      {(sets > FEW || words !== '') && <ListTools search="Search sets" sorts={sorts} />}
      <ListStates empty={null} isHeld={drafts.rows.length > 0}>
        <ChosenSets shown={drafts.shown} change={drafts.change} schemes={schemes} tests={tests} years={years} />
        <SetsTable
          drafts={drafts}
          schemes={schemes}
          tests={tests}
          years={years}
          teachersOf={teachersOf}
          wrongName={wrongName}
          onDelete={ask}
        />
        {total > PAGE && <ListPager of="sets" />}
      </ListStates>
      <AddSet subjectId={subjectId} yearGroupId={id} schemes={schemes} taken={names} />
      {(drafts.rows.length > 0 || drafts.elsewhere > 0) && (
        <SaveBar
          label="Save"
          changed={drafts.changed}
          disabled={!isValid}
          saving={drafts.saving}
          done={drafts.done}
          refusal={drafts.refusal}
          elsewhere={drafts.elsewhere}
          onSave={() => void save()}
        />
      )}
      {dialog}
    </>
  );
};

const called = ({ name }: TeachingSet): string => name;

/** What the structure says that rows need: the same objects until it changes. */
const knownOf = ({ schemes, tests, yearGroups, teachers }: Structure) => {
  const names = new Map<string, string[]>();
  for (const { name, setIds } of teachers)
    for (const setId of setIds) names.set(setId, [...(names.get(setId) ?? []), name ?? 'a forgotten teacher']);
  return {
    schemes: schemes.map(({ schemeId, name }) => ({ id: schemeId, name })),
    tests: tests.map(({ testId, name }) => ({ id: testId, name })),
    years: yearGroups.map(({ yearGroupId, year }) => ({ id: yearGroupId, year })),
    names: yearGroups.flatMap((group) => group.sets.map(({ setId, name }) => [setId, name] as const)),
    teachersOf: (setId: string): string => (names.get(setId) ?? []).join(', '),
  };
};

/** One act for all of them, which is undone as one. */
const saveTogether =
  (subjectId: string): SaveTogether<TeachingSet> =>
  async (rows, command) => {
    const { actId } = await command('ChangeSets', {
      subjectId,
      changes: rows.map(({ before, changes }) => ({ setId: before.id, ...edited(changes), was: edited(before, changes) })),
    });
    return async (undo) => {
      const undone = await undoAct(undo, subjectId, actId);
      return undone && ['The classes are as they were.', ...undone.stays].join(' ');
    };
  };

/** The fields that a table of sets changes, as far as `of` has them. */
const edited = (set: Partial<TeachingSet>, of: Partial<TeachingSet> = set) => ({
  ...(of.name !== undefined && { name: set.name }),
  ...(of.yearGroupId !== undefined && { yearGroupId: set.yearGroupId }),
  ...(of.schemeId !== undefined && { schemeId: set.schemeId }),
  ...(of.testIds !== undefined && { testIds: set.testIds && [...set.testIds] }),
  ...(of.thresholds !== undefined && { thresholds: set.thresholds }),
});

type AddSetProps = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly schemes: readonly Choice[];
  /** The names known here; the server checks against all. */
  readonly taken: readonly (readonly [setId: string, name: string])[];
};

const AddSet = memo(({ subjectId, yearGroupId, schemes, taken }: AddSetProps) => {
  const [chosen, setChosen] = useState<string>();
  const provider = useDataProvider();
  const schemeId = chosen ?? schemes[0]?.id;
  return (
    <AddBox
      label="Add new group"
      button="Add group"
      wrong={(name) =>
        nameTrouble(
          name,
          taken.map(([, other]) => other),
        )
      }
      onAdd={(name) => provider.create<TeachingSet>('sets', { data: { subjectId, yearGroupId, name, schemeId: schemeId ?? '' } })}
      notice={(name) => `${name} added.`}
      disabled={schemeId === undefined}
      input={{ maxLength: 200 }}
    >
      <TextField select label="It follows" value={schemeId ?? ''} margin="none" onChange={({ target }) => setChosen(target.value)}>
        {schemes.map(({ id, name: scheme }) => (
          <MenuItem key={id} value={id}>
            {scheme}
          </MenuItem>
        ))}
      </TextField>
    </AddBox>
  );
});
