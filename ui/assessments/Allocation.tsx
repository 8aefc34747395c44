import type { ReactNode } from 'react';
import { useState } from 'react';
import { Select } from '../controls/Field.tsx';
import styles from './Allocation.module.css';
import { CheckTree } from './CheckTree.tsx';
import { Chosen } from './Chosen.tsx';
import { AllocationFoot } from './AllocationFoot.tsx';
import type { Change } from './change.ts';
import { DEFAULT_SUGGESTIONS, Suggestions } from './Suggestions.tsx';
import type { TreeNode } from './tree.ts';
import { useAllocation } from './useAllocation.ts';

/** Something that candidates can be bound to: a topic of a scheme of work, or a question. */
export type Item = { readonly id: string; readonly name: string; readonly note?: string; readonly bound: readonly string[] };
export type Group = { readonly id: string; readonly name: string; readonly items: readonly Item[] };

export type AllocationProps = {
  /** 'Scheme of work', 'Assessment' */
  readonly groupLabel: string;
  readonly groups: readonly Group[];
  /** Chosen at first; defaults to the first group. */
  readonly firstGroup?: string | undefined;
  /** 'Scheme of work topics', 'Questions' */
  readonly itemsLabel: string;
  /** 'Topics', 'Questions' */
  readonly candidatesLabel: string;
  readonly candidates: readonly TreeNode[];
  /** Shown when the group has no items. */
  readonly noItems: ReactNode;
  /** Saves all changes or none. */
  readonly save: (changes: readonly Change[]) => Promise<unknown>;
  /** Fetches what is stored now. */
  readonly reload: () => Promise<readonly Group[]>;
};

/** One step: items of a scheme or an assessment on the left, candidates for the chosen item on the right. */
export const Allocation = (props: AllocationProps) => {
  const { groupLabel, groups, firstGroup, itemsLabel, candidatesLabel, candidates, noItems, save, reload } = props;
  const [groupId, setGroupId] = useState(firstGroup);
  const [itemId, setItemId] = useState<string>();
  const [count, setCount] = useState(DEFAULT_SUGGESTIONS);
  const drafts = useAllocation({
    save,
    reload: async () => {
      const items = (await reload()).flatMap((one) => one.items);
      return (id) => items.find((one) => one.id === id)?.bound ?? [];
    },
  });

  const group = groups.find(({ id }) => id === groupId) ?? groups[0];
  const item = group?.items.find(({ id }) => id === itemId) ?? group?.items[0];
  const boundOf = ({ id, bound }: Item): readonly string[] => drafts.boundTo(id) ?? bound;
  const toggle = (candidate: string) => {
    if (item) drafts.toggle(item.id, item.bound, candidate);
  };

  return (
    <div className={styles.allocation}>
      <div className={styles.items}>
        <Select
          label={groupLabel}
          value={group?.id ?? ''}
          onChange={(event) => {
            setGroupId(event.target.value);
            setItemId(undefined);
            drafts.hideSaved();
          }}
        >
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        {group && group.items.length > 0 && (
          <ItemList
            label={itemsLabel}
            items={group.items}
            chosen={item?.id}
            countOf={(one) => boundOf(one).length}
            isChanged={({ id }) => drafts.boundTo(id) !== undefined}
            onChoose={(id) => {
              setItemId(id);
              drafts.hideSaved();
            }}
          />
        )}
      </div>
      {item ? (
        <div className={styles.panel}>
          <h3 className={styles.title}>
            {item.note && <small>{item.note}</small>}
            {item.name}
          </h3>
          <Chosen label={`Allocated ${candidatesLabel.toLowerCase()}`} nodes={candidates} chosen={boundOf(item)} onRemove={toggle} />
          <div className={styles.choices}>
            <Suggestions name={item.name} nodes={candidates} chosen={boundOf(item)} onToggle={toggle} count={count} onCount={setCount} />
            <CheckTree key={item.id} label={candidatesLabel} nodes={candidates} chosen={boundOf(item)} onToggle={toggle} />
          </div>
          <AllocationFoot drafts={drafts} />
        </div>
      ) : (
        noItems
      )}
    </div>
  );
};

type ItemListProps = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly chosen: string | undefined;
  readonly countOf: (item: Item) => number;
  readonly isChanged: (item: Item) => boolean;
  readonly onChoose: (id: string) => void;
};

const ItemList = ({ label, items, chosen, countOf, isChanged, onChoose }: ItemListProps) => (
  <fieldset className={styles.list}>
    <legend>{label}</legend>
    <div className={styles.rows}>
      {items.map((item) => (
        <label key={item.id} className={styles.item} data-chosen={item.id === chosen || undefined}>
          <input type="radio" className="sr" name={label} checked={item.id === chosen} onChange={() => onChoose(item.id)} />
          <span>
            {item.note && <small>{item.note} </small>}
            {item.name}
          </span>
          <span className={styles.count} data-changed={isChanged(item) || undefined}>
            {countOf(item)}
            <span className="sr"> allocated{isChanged(item) ? ', not saved yet' : ''}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);
