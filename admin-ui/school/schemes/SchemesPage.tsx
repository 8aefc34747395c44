import { ListBase } from 'react-admin';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { useAddDialog } from '../../dialog/useAddDialog.tsx';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import { Deleted } from '../../list/Deleted.tsx';
import { ListExport } from '../../list/ListExport.tsx';
import { SearchBox } from '../../list/filters/SearchBox.tsx';
import type { Scheme } from './scheme.ts';
import { SchemeCards } from './SchemeCards.tsx';
import { SchemeDialog } from './SchemeDialog.tsx';
import { Changes } from '../../../ui/frame/ReadOnly.tsx';

/** The schemes of work of the subject in use. */
export const SchemesPage = subjectPage('Schemes of Work', ({ subjectId, name }) => {
  const add = useAddDialog('Add scheme of work', (close) => <SchemeDialog onClose={close} />);
  return (
    <ListBase<Scheme> resource="schemes" filter={{ subjectId }} perPage={24} sort={{ field: 'name', order: 'ASC' }}>
      <Page
        title="Schemes of Work"
        sub={`What is taught in ${name}, topic by topic. Every set follows one.`}
        actions={
          <>
            <ListExport file="schemes_of_work" columns={columns} />
            {add.button}
          </>
        }
      >
        <SearchBox label="Search schemes of work" />
        <SchemeCards
          empty={
            <EmptyState title={`${name} has no scheme of work yet`} action={add.button}>
              <Changes>Add one with its topics, typed or from a CSV file. A set needs a scheme of work to follow.</Changes>
            </EmptyState>
          }
        />
        <Deleted kinds={['scheme']} subjectId={subjectId} />
        {add.dialog}
      </Page>
    </ListBase>
  );
});

const columns = [
  { label: 'Scheme of work', value: ({ name }: Scheme) => name },
  { label: 'Sets', value: ({ sets }: Scheme) => sets },
  { label: 'Topics', value: ({ topics }: Scheme) => topics.map(({ name }) => name).join('; ') },
];
