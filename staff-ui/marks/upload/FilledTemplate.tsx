import type { TemplateKind } from '#api/templates';
import type { Structure } from '#api/school/school.contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { question, useApi } from '../../../ui/api/ApiProvider.tsx';
import { sentence } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { useHandOut } from '../../../ui/file/useHandOut.ts';
import { naturalOrder } from '#api/contract/order';
import { useStructure } from '../../queries.ts';
import { setsInOrder } from '../../shell/place.ts';
import { useOwnClasses } from '../../shell/viewed/TeacherProvider.tsx';

/** The template with a class list filled in, so that only marks need to be typed. */
export const FilledTemplate = ({ kind }: { readonly kind: TemplateKind }) => {
  const ownClasses = useOwnClasses(useStructure().data);
  const classes = ownClasses ? classesOf(ownClasses) : [];
  const [chosen, setChosen] = useState('');
  const { download, failure } = useDownload(kind);
  const one = classes.find(({ setId }) => setId === chosen);
  if (classes.length === 0) return null;
  return (
    <span>
      or with the names of{' '}
      <select className="field" aria-label="Names for the template" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        <option value="" disabled>
          a class
        </option>
        {classes.map(({ setId, name }) => (
          <option key={setId} value={setId}>
            {name}
          </option>
        ))}
      </select>
      <Button look="plain" disabled={!one} onClick={() => one && void download(one)}>
        Download
      </Button>
      {failure && <span role="alert">{failure}</span>}
    </span>
  );
};

type OneClass = { readonly setId: string; readonly name: string; readonly yearGroupId: string };

const classesOf = ({ yearGroups }: Structure): readonly OneClass[] =>
  yearGroups.flatMap((yearGroup) => setsInOrder(yearGroup).map(({ setId, name }) => ({ setId, name, yearGroupId: yearGroup.yearGroupId })));

const useDownload = (kind: TemplateKind) => {
  const api = useApi();
  const client = useQueryClient();
  const handOut = useHandOut();
  const [failure, setFailure] = useState<string>();
  const download = async ({ setId, name, yearGroupId }: OneClass) => {
    setFailure(undefined);
    try {
      const [{ template }, { students }] = await Promise.all([
        import('#api/templates'),
        client.ensureQueryData(question(api, 'markbook', { yearGroupId, setId })),
      ]);
      const rows = students
        .filter(({ admissionNo }) => admissionNo !== null)
        .toSorted((a, b) => naturalOrder(a.name ?? '', b.name ?? ''))
        .map((student) => [student.admissionNo, student.name]);
      await handOut({ what: 'class list', as: 'file', setId }, `${kind}_${name}.csv`, template(kind, rows), 'text/csv');
    } catch (error) {
      setFailure(sentence(error));
    }
  };
  return { download, failure };
};
