import type { Structure } from '#api/school/school.contract';
import { InHeader } from '../../ui/frame/header/InHeader.tsx';
import { ScrollBar } from '../../ui/frame/ScrollBar.tsx';
import type { SchoolSet } from './place.ts';
import { setsInOrder, usePlace } from './place.ts';

type ClassPickerProps = {
  readonly structure: Structure;
  /** Of a page about one class: which. */
  readonly shown?: SchoolSet;
  /** Of a page that can be about several: what they are called together. */
  readonly all?: string;
};

/** Scroll bars for the year groups, and for the classes of the chosen one. */
export const ClassPicker = ({ structure, shown, all }: ClassPickerProps) => {
  const { yearGroups, yearGroup, set = shown, change } = usePlace(structure);
  if (!yearGroup) return null;
  return (
    <InHeader>
      {yearGroups.length > 1 && (
        <ScrollBar
          label="Year group"
          items={yearGroups.toSorted((a, b) => a.year - b.year).map(({ yearGroupId, year }) => ({ id: yearGroupId, name: `Year ${year}` }))}
          chosen={yearGroup.yearGroupId}
          onChoose={(id) => change({ year: String(yearGroups.find(({ yearGroupId }) => yearGroupId === id)?.year ?? ''), set: undefined })}
        />
      )}
      <ScrollBar
        label="Class"
        items={[
          ...(all !== undefined && yearGroup.sets.length > 1 ? [{ id: '', name: all }] : []),
          ...setsInOrder(yearGroup).map(({ setId, name, students }) => ({ id: setId, name, note: String(students) })),
        ]}
        chosen={(yearGroup.sets.length === 1 ? yearGroup.sets[0] : set)?.setId ?? ''}
        onChoose={(id) => change({ year: String(yearGroup.year), set: yearGroup.sets.find(({ setId }) => setId === id)?.name })}
      />
    </InHeader>
  );
};
