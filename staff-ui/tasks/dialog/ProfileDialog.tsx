import { REQUIRED, typedNumber, wrongCount } from '#api/contract/rules';
import { MAX_GRADES, percentSum, wrongGrades } from '#api/tasks/grades/grades.contract';
import type { GradeProfiles } from '#api/tasks/grades/grade-profile.contract';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { leaving, useUnsaved } from '../../../ui/session/unsaved.ts';
import styles from './Profile.module.css';

type Profile = GradeProfiles['profiles'][number];
/** A grade as it is typed. */
type Typed = { readonly key: number; readonly label: string; readonly percent: string };

type ProfileDialogProps = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  /** undefined: a new one */
  readonly profile: Profile | undefined;
  /** What a new one begins with. */
  readonly tried: Profile['grades'] | undefined;
  readonly isCopy: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onSaved: (gradeProfileId: string) => void;
};

/** A grade profile: its name, and how many per cent of the students get which grade. */
export const ProfileDialog = (props: ProfileDialogProps) => {
  const { profile, isCopy, open, onClose } = props;
  const title = profile === undefined ? 'New grade profile' : isCopy ? `Copy of ${profile.name}` : `Edit ${profile.name}`;
  return (
    <Dialog beforeClose={(close) => leaving('part', close)} title={title} open={open} onClose={onClose}>
      <Form {...props} />
    </Dialog>
  );
};

const FIRST: readonly Omit<Typed, 'key'>[] = [
  { label: '', percent: '' },
  { label: '', percent: '' },
  { label: '', percent: '' },
];

const Form = ({ subjectId, yearGroupId, profile, tried, isCopy, onClose, onSaved }: ProfileDialogProps) => {
  const [name, setName] = useState(profile ? (isCopy ? `${profile.name} (copy)` : profile.name) : '');
  const [grades, setGrades] = useState<readonly Typed[]>(() =>
    ((profile?.grades ?? tried)?.map(({ label, percent }) => ({ label, percent: String(percent) })) ?? FIRST).map((grade, key) => ({
      ...grade,
      key,
    })),
  );
  const [isTouched, setTouched] = useState(false);
  const [wasSent, setSent] = useState(false);
  useUnsaved(isTouched, 'part');
  const touch = (next: readonly Typed[]) => {
    setGrades(next);
    setTouched(true);
  };
  const change = (key: number, part: Partial<Typed>) => touch(grades.map((grade) => (grade.key === key ? { ...grade, ...part } : grade)));
  const shares = grades.map(({ label, percent }) => ({ label: label.trim(), percent: typedNumber(percent) }));
  const sum = percentSum(shares.filter(({ percent }) => Number.isInteger(percent)));
  const wrongRows = grades.some((grade) => wrongLabel(grade) ?? wrongPercent(grade));
  const wrong = wrongRows ? undefined : wrongGrades(shares);
  const { send, pending } = useSend({
    act: async (_: void, command) => {
      const content = { name: name.trim(), grades: shares };
      if (profile === undefined || isCopy)
        return (await command('CreateGradeProfile', { subjectId, yearGroupId, ...content })).gradeProfileId;
      const was = { name: profile.name, grades: profile.grades.map(({ label, percent }) => ({ label, percent })) };
      await command('EditGradeProfile', { gradeProfileId: profile.gradeProfileId, ...content, was });
      return profile.gradeProfileId;
    },
    invalidates: 'everything',
    notice: () => `${name.trim()} was saved.`,
    onDone: (gradeProfileId) => {
      setTouched(false);
      onSaved(gradeProfileId);
      onClose();
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (name.trim() !== '' && !wrongRows && wrong === undefined) void send();
  };
  return (
    <form onSubmit={save} noValidate>
      <div className="stack gap-4 pad">
        <Field
          label="Profile name"
          value={name}
          maxLength={100}
          error={wasSent && name.trim() === '' ? REQUIRED : undefined}
          onChange={({ target }) => {
            setName(target.value);
            setTouched(true);
          }}
        />
        <ol className={`stack ${styles.grades}`} aria-label="Grades, the best first">
          {grades.map((grade, index) => (
            <li key={grade.key}>
              <Field
                label={`Grade ${index + 1}`}
                value={grade.label}
                maxLength={20}
                error={wasSent ? wrongLabel(grade) : undefined}
                onChange={({ target }) => change(grade.key, { label: target.value })}
              />
              <Field
                label={`Per cent ${index + 1}`}
                inputMode="numeric"
                value={grade.percent}
                maxLength={6}
                error={wasSent || grade.percent !== '' ? wrongPercent(grade) : undefined}
                onChange={({ target }) => change(grade.key, { percent: target.value })}
              />
              <Button
                look="remove"
                aria-label={`Remove grade ${index + 1}`}
                disabled={grades.length === 1}
                onClick={() => touch(grades.filter(({ key }) => key !== grade.key))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ol>
        <div className="row gap-4">
          <Button
            disabled={grades.length >= MAX_GRADES}
            onClick={() => touch([...grades, { key: Math.max(...grades.map(({ key }) => key)) + 1, label: '', percent: '' }])}
          >
            Add a grade
          </Button>
          <p role="status" className={sum === 100 ? styles.good : isTouched || wasSent ? 'failed' : undefined}>
            {sum === 100
              ? 'Adds up to 100 %'
              : sum < 100
                ? `Adds up to ${sum} %: ${100 - sum} % ${sum === 99 ? 'is' : 'are'} missing`
                : `Adds up to ${sum} %: ${sum - 100} % too much`}
          </p>
        </div>
        {wasSent && wrong !== undefined && sum === 100 && (
          <p role="alert" className="failed">
            {wrong}
          </p>
        )}
      </div>
      <DialogFoot>
        <Button onClick={() => leaving('part', onClose)}>Cancel</Button>
        <Button type="submit" look="primary" disabled={pending || sum !== 100}>
          Save
        </Button>
      </DialogFoot>
    </form>
  );
};

const wrongLabel = ({ label }: Typed): string | undefined => (label.trim() === '' ? REQUIRED : undefined);
const wrongPercent = ({ percent }: Typed): string | undefined => (percent.trim() === '' ? REQUIRED : wrongCount(typedNumber(percent)));
