import type { KeyboardEvent, ReactNode } from 'react';
import { useId } from 'react';
import styles from './Tabs.module.css';

type TabsProps<Id extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly name: string; readonly content: ReactNode }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
};

/** Tabs by the ARIA pattern: one tab stop, arrow keys choose. Panels stay mounted, so typed text survives a change of tab. */
export const Tabs = <Id extends string>({ label, tabs, chosen, onChoose }: TabsProps<Id>) => {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && tabs.at((tabs.findIndex((tab) => tab.id === chosen) + step) % tabs.length);
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className={styles.tabs}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-${tab.id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => onChoose(tab.id)}
            onKeyDown={onKeyDown}
          >
            {tab.name}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-${tab.id}-panel`}
          aria-labelledby={`${id}-${tab.id}`}
          hidden={tab.id !== chosen}
          className={styles.panel}
        >
          {tab.content}
        </div>
      ))}
    </>
  );
};
