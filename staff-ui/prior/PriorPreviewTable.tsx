import type { PriorChange, PriorPreview } from '#api/prior/prior.contract';
import { Paged } from './Paged.tsx';

const HEADS = ['Name', 'StudentID', 'Class', 'Grade', 'Now', 'Becomes'];

/** What a file would change, replaced scores first. */
export const PriorPreviewTable = ({ students }: Pick<PriorPreview, 'students'>) => (
  <Paged
    label="What the file would change"
    heads={HEADS}
    rows={students.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change))}
  >
    {({ studentId, name, admissionNo, setName, score, now, change }) => (
      <tr key={studentId} data-change={change}>
        <th scope="row">{name}</th>
        <td data-label="StudentID">{admissionNo}</td>
        <td data-label="Class">{setName}</td>
        <td data-label="Grade">{score}</td>
        <td data-label="Now">{now ? `${now.score} (${now.yearCompleted})` : '–'}</td>
        <td data-label="Becomes">{WORDS[change]}</td>
      </tr>
    )}
  </Paged>
);

const ORDER: readonly PriorChange[] = ['replaced', 'earlier', 'new', 'equal'];
const WORDS: Readonly<Record<PriorChange, string>> = {
  replaced: 'Replaced',
  earlier: 'Kept as history',
  new: 'New',
  equal: 'Confirmed',
};
