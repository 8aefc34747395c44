import type { Structure } from '#api/school/school.contract';
import { OFF_ROLL } from '../../ui/students/place-of.ts';

/** The places of a student (sets and Off-Roll) as options of a select. */
export const SetOptions = ({ structure: { yearGroups } }: { readonly structure: Structure }) => (
  <>
    {yearGroups.map(({ yearGroupId, year, sets }) => (
      <optgroup key={yearGroupId} label={`Year ${year}`}>
        {sets.map(({ setId, name }) => (
          <option key={setId} value={setId}>
            {name}
          </option>
        ))}
      </optgroup>
    ))}
    <option value={OFF_ROLL}>Off-Roll</option>
  </>
);
