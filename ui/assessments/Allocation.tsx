import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Select } from '../controls/Field.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { Changes, useReadOnly } from '../frame/ReadOnly.tsx';
import styles from './Allocation.module.css';
import { CheckTree } from './CheckTree.tsx';
import type { Change } from './change.ts';
import { DEFAULT_SUGGESTIONS, Suggestions } from './Suggestions.tsx';
import type { TreeNode } from './tree.ts';
import { wayTo } from './tree.ts';
import type { AllocationDrafts } from './useAllocation.ts';
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
      <div className="stack gap-4">
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
        <div className="stack gap-4">
          <h2>
            {item.note && <small className={`muted ${styles.note}`}>{item.note}</small>}
            {item.name}
          </h2>
          <Chosen label={`Allocated ${candidatesLabel.toLowerCase()}`} nodes={candidates} chosen={boundOf(item)} onRemove={toggle} />
          <Changes>
            <div className={styles.choices}>
              <Suggestions name={item.name} nodes={candidates} chosen={boundOf(item)} onToggle={toggle} count={count} onCount={setCount} />
              <CheckTree key={item.id} label={candidatesLabel} nodes={candidates} chosen={boundOf(item)} onToggle={toggle} />
            </div>
            <AllocationFoot drafts={drafts} />
          </Changes>
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
    <div className={`box ${styles.rows}`}>
      {items.map((item) => (
        <label key={item.id} className={`line apart ${styles.item}`} data-chosen={item.id === chosen || undefined}>
          <input type="radio" className="sr" name={label} checked={item.id === chosen} onChange={() => onChoose(item.id)} />
          <span>
            {item.note && <small className="muted">{item.note} </small>}
            {item.name}
          </span>
          <span className={`muted tiny ${styles.count}`} data-changed={isChanged(item) || undefined}>
            {countOf(item)}
            <span className="sr"> allocated{isChanged(item) ? ', not saved yet' : ''}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);

type ChosenProps = {
  readonly label: string;
  readonly nodes: readonly TreeNode[];
  readonly chosen: readonly string[];
  readonly onRemove: (id: string) => void;
};

/** What is bound to the item, each with a remove button. */
const Chosen = ({ label, nodes, chosen, onRemove }: ChosenProps) => {
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const chosenNodes = chosen.flatMap((id) => byId.get(id) ?? []);
  /** Questions are numbered anew in each assessment. */
  const nameOf = ({ name, parentId }: TreeNode) => {
    const parent = byId.get(parentId ?? '');
    return parent?.heading ? `${parent.name}: ${name}` : name;
  };
  const readOnly = useReadOnly();
  if (chosenNodes.length === 0) return <p className="muted">Nothing is allocated yet.{!readOnly && ' Tick what fits below.'}</p>;
  return (
    <ul className={`row ${styles.chosen}`} aria-label={label}>
      {chosenNodes.map((node) => (
        <li key={node.id} className="box">
          <span title={wayTo(node, byId)}>{nameOf(node)}</span>
          <Changes>
            <button type="button" aria-label={`Remove ${nameOf(node)}`} onClick={() => onRemove(node.id)}>
              <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
                <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.8" />
              </svg>
            </button>
          </Changes>
        </li>
      ))}
    </ul>
  );
};

/** Shows Save once something has changed, then the success message with Undo. */
const AllocationFoot = ({ drafts }: { readonly drafts: AllocationDrafts }) => {
  const { changes, saved, trouble, pending } = drafts;
  return (
    <div className={`stack ${styles.foot}`}>
      {trouble && !pending && (
        <Notice
          tone="bad"
          title={trouble.reason}
          actions={trouble.kind === 'conflict' && <Button onClick={drafts.reload}>Reload, keep my changes</Button>}
        />
      )}
      {saved && (
        <Notice
          tone="good"
          title="Submitted successfully!"
          actions={
            !saved.isUndo && (
              <Button look="plain" disabled={pending} onClick={drafts.undo}>
                Undo
              </Button>
            )
          }
        />
      )}
      {changes.length > 0 && (
        <div className={`row gap-4 end box ${styles.save}`}>
          <span>{changes.length === 1 ? '1 change is not saved yet.' : `${changes.length} changes are not saved yet.`}</span>
          <Button look="primary" disabled={pending} onClick={drafts.store}>
            {pending ? 'Saving ...' : 'Save'}
          </Button>
        </div>
      )}
    </div>
  );
};
