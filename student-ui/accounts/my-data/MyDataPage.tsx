import type { MyData } from '#api/accounts/my-data.contract';
import { dateText } from '#api/contract/dates';
import { useQuery } from '@tanstack/react-query';
import { question, useApi } from '../../../ui/api/ApiProvider.tsx';
import { sentence } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { saveFile } from '../../../ui/file/save-file.ts';
import { Page, Section } from '../../../ui/frame/Page.tsx';
import { unprintableText } from '../../../ui/reports/unprintable.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import styles from './MyData.module.css';
import { MySubject } from './MySubject.tsx';
import { partsOf, timeOf } from './texts.ts';

/** What is stored about the student, and who has looked at it. */
export const MyDataPage = () => {
  const { me, isConfirmed } = useSession();
  const { data, error, refetch, dataUpdatedAt } = useQuery(
    question(useApi(), 'my-data', isConfirmed && me.role === 'student' ? {} : undefined),
  );
  return (
    <Page
      title="My data"
      sub="What is stored about you. Ask your school for everything else: assessments that are not open to students, and what teachers have noted."
      actions={data && <Downloads data={data} moment={new Date(dataUpdatedAt)} />}
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} label="Loading your data" />}
      {data && <Shown data={data} />}
    </Page>
  );
};

const Downloads = ({ data, moment }: { readonly data: MyData; readonly moment: Date }) => {
  const { me } = useSession();
  const toast = useToast();
  const { send, pending, error } = useSend({
    act: async () => {
      const [{ myDataFile, MY_DATA_FILE }, { paperOf }, { readFont }] = await Promise.all([
        import('../../../ui/reports/my-data.ts'),
        import('../../../ui/reports/paper.ts'),
        import('../../../ui/reports/read-font.ts'),
      ]);
      const { file, unprintable } = await myDataFile({
        school: me.school.name,
        paper: paperOf(navigator.language),
        created: new Date(),
        moment,
        font: readFont,
        name: data.name ?? '',
        parts: partsOf(data),
      });
      saveFile(MY_DATA_FILE, file, 'application/pdf');
      return unprintableText(unprintable);
    },
    onDone: (text) => text && toast({ tone: 'warn', text }),
    showsError: true,
  });
  return (
    <>
      <Button disabled={pending} onClick={() => void send(undefined)}>
        Download as PDF
      </Button>
      <Button onClick={() => saveFile('my-data.json', JSON.stringify(data, null, 2), 'application/json')}>Download as JSON</Button>
      {error !== undefined && <Notice tone="bad" title={`The file could not be made. ${sentence(error)}`} />}
    </>
  );
};

const Shown = ({ data }: { readonly data: MyData }) => (
  <div className={`large ${styles.data}`}>
    <Section title="You">
      <dl>
        <Fact name="Name" value={data.name} />
        <Fact name="StudentID" value={data.admissionNo} />
        <Fact name="Date of birth" value={data.dateOfBirth && dateText(data.dateOfBirth)} />
        {data.accounts.map(({ email, since }) => (
          <Fact key={since} name="Log-in" value={`${email ?? 'no e-mail address'}, since ${timeOf(since)}`} />
        ))}
      </dl>
    </Section>
    {data.subjects.map((subject) => (
      <MySubject key={subject.subjectId} subject={subject} />
    ))}
    <Section title="Who looked at your pages">
      {data.looks.length === 0 ? (
        <p>Nobody has.</p>
      ) : (
        <ul>
          {data.looks.map(({ at, role }) => (
            <li key={at + role} className={`row apart ${styles.row}`}>
              {timeOf(at)} <span className="muted">a member of staff ({role})</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  </div>
);

const Fact = ({ name, value }: { readonly name: string; readonly value: string | null }) => (
  <div className={`row apart ${styles.row}`}>
    <dt className="muted">{name}</dt>
    <dd className="breaks">{value ?? 'not known'}</dd>
  </div>
);
