import { Fields } from '../../../ui/frame/ReadOnly.tsx';
import { wrongThresholds } from '#api/contract/rules';
import { ListBase, useDataProvider, useListContext } from 'react-admin';
import { Link } from 'react-router';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useStructure } from '../../data/useStructure.ts';
import { SaveBar } from '../../drafts/SaveBar.tsx';
import { useDrafts } from '../../drafts/useDrafts.ts';
import { ListPager } from '../../list/ListPager.tsx';
import { ListStates } from '../../list/ListStates.tsx';
import { ListTools } from '../../list/ListTools.tsx';
import { useSearch } from '../../list/filters/SearchBox.tsx';
import styles from './Classes.module.css';
import type { TeachingSet, YearGroup, Choice } from './set.ts';
import { nameTrouble } from './set.ts';
import { SetRow } from './SetRow.tsx';
import { useOffRollRemoval } from './useOffRollRemoval.tsx';
import { MenuItem, TextField } from '@mui/material';
import { useState } from 'react';
import { AddBox } from '../../drafts/AddBox.tsx';

const PAGE = 15;

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

/** Edited in place: nothing is stored before Save. Input is kept while paging and searching. */
const Sets = ({ yearGroup: { id, subjectId, sets } }: { readonly yearGroup: YearGroup }) => {
  const { data, total = 0 } = useListContext<TeachingSet>();
  const { words } = useSearch();
  const structure = useStructure(subjectId);
  const drafts = useDrafts<TeachingSet>('sets', data);
  const removal = useOffRollRemoval<TeachingSet>({
    resource: 'sets',
    called: ({ name }) => name,
    after: (set) => drafts.discard(set.id),
  });
  const giveAll = useGiveAll(id, (row, testIds) => drafts.change(row, { testIds }));
  if (!structure.data)
    return structure.error ? <Failure error={structure.error} retry={() => void structure.refetch()} /> : <Skeleton rows={4} />;

  const schemes = structure.data.schemes.map(({ schemeId, name }) => ({ id: schemeId, name }));
  const tests = structure.data.tests.map(({ testId, name }) => ({ id: testId, name }));
  const shown = drafts.rows.map((row) => drafts.shown(row));
  const allSets = [...shown, ...drafts.typed];
  const nameError = (set: TeachingSet) =>
    nameTrouble(
      set.name,
      allSets.filter((other) => other.id !== set.id).map(({ name }) => name),
    );
  const isValid = drafts.typed.every((set) => (nameError(set) ?? wrongThresholds(set.thresholds)) === undefined);
  return (
    <>
      {schemes.length === 0 && (
        <Notice tone="warn" title="A set needs a scheme of work.">
          <Link to="/sow">Add a scheme of work</Link> first.
        </Notice>
      )}
      {(sets > PAGE || words !== '') && <ListTools search="Search sets" sorts={sorts} />}
      <ListStates empty={null} isHeld={drafts.rows.length > 0}>
        <Fields>
          <ul className={styles.sets}>
            {drafts.rows.map((row) => {
              const set = drafts.shown(row);
              const wrong = nameError(set);
              const isOne = total <= shown.length && shown.every((other) => sitsSame(other, set));
              return (
                <SetRow
                  key={row.id}
                  set={set}
                  schemes={schemes}
                  tests={tests}
                  errors={{ ...drafts.errorsOf(row.id), ...(wrong === undefined ? {} : { name: wrong }) }}
                  onChange={(values) => drafts.change(row, values)}
                  onForAll={set.testIds.length === 0 || isOne ? undefined : () => void giveAll({ set, shown: drafts.shown })}
                  onReload={() => drafts.discard(row.id)}
                  onDelete={() => removal.ask(row)}
                />
              );
            })}
          </ul>
        </Fields>
        {total > PAGE && <ListPager of="sets" />}
      </ListStates>
      {(drafts.rows.length > 0 || drafts.elsewhere > 0) && (
        <SaveBar
          label="Save"
          disabled={drafts.changed === 0 || !isValid}
          saving={drafts.saving}
          done={drafts.done}
          elsewhere={drafts.elsewhere}
          onSave={() => void drafts.save()}
        />
      )}
      <AddSet subjectId={subjectId} yearGroupId={id} schemes={schemes} taken={allSets.map(({ name }) => name)} />
      {removal.dialog}
    </>
  );
};

/** Copies one set's assessments to every set of the year group, on whatever page. */
const useGiveAll = (yearGroupId: string, change: (row: TeachingSet, testIds: readonly string[]) => void) => {
  const provider = useDataProvider();
  return useSend({
    act: ({ set: { subjectId } }: Given) =>
      provider.getList<TeachingSet>('sets', {
        filter: { subjectId, yearGroupId },
        pagination: { page: 1, perPage: 1_000 },
        sort: { field: 'name', order: 'ASC' },
      }),
    onDone: ({ data }, { set: { testIds }, shown }) => {
      for (const row of data) if (!sitsSame(shown(row), { testIds })) change(row, testIds);
    },
  }).send;
};

/** `shown`: a set with its unsaved changes. */
type Given = { readonly set: TeachingSet; readonly shown: (row: TeachingSet) => TeachingSet };

/** Ignores order. */
const sitsSame = (one: Pick<TeachingSet, 'testIds'>, other: Pick<TeachingSet, 'testIds'>): boolean =>
  one.testIds.length === other.testIds.length && one.testIds.every((testId) => other.testIds.includes(testId));

type AddSetProps = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly schemes: readonly Choice[];
  /** The names known here; the server checks against all. */
  readonly taken: readonly string[];
};

const AddSet = ({ subjectId, yearGroupId, schemes, taken }: AddSetProps) => {
  const [chosen, setChosen] = useState<string>();
  const provider = useDataProvider();
  const schemeId = chosen ?? schemes[0]?.id;
  return (
    <AddBox
      label="Add new group"
      button="Add group"
      wrong={(name) => nameTrouble(name, taken)}
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
};
