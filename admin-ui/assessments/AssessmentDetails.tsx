import { atSameMoment } from '../moment.ts';
import { Changes, Fields } from '../../ui/frame/ReadOnly.tsx';
import { Button, FormControlLabel, Switch } from '@mui/material';
import { Link } from 'react-router';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { Heads, Table } from '../../ui/table/Table.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import type { Assessment } from './assessment.ts';
import { useContents } from './assessment.ts';
import { QuestionsDialog } from './QuestionsDialog.tsx';
import { UploadDialog } from './UploadDialog.tsx';
import { Form, required, TextInput } from 'react-admin';
import { FormTyped } from '../dialog/FormDialog.tsx';
import { Trouble } from '../dialog/Trouble.tsx';
import { useSaveRecord } from '../dialog/useSaveRecord.ts';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

/** The open form of an assessment. */
export type Doing = 'rename' | 'upload' | 'edit';
type AssessmentDetailsProps = {
  readonly assessment: Assessment;
  readonly doing: Doing | undefined;
  readonly onDo: (what: Doing | undefined) => void;
  readonly onDelete: () => void;
};

/** An open assessment: its questions and actions. */
export const AssessmentDetails = ({ assessment, doing, onDo, onDelete }: AssessmentDetailsProps) => {
  const contents = useContents(assessment);
  const { send: show } = useCommand('ShowAssessment', {
    input: (visible: boolean) => ({ testId: assessment.id, visible }),
  });
  if (!contents.data)
    return contents.error ? <Failure error={contents.error} retry={() => void contents.refetch()} /> : <Skeleton rows={4} />;
  const { questions } = contents.data;
  const close = () => onDo(undefined);
  return (
    <div className="stack gap-4">
      <div className="row gap-3 apart">
        <Fields>
          <FormControlLabel
            control={<Switch checked={assessment.visible} onChange={(_event, visible) => void show(visible)} />}
            label="Students can see it and enter feedback"
          />
        </Fields>
        {doing === 'rename' ? (
          <RenameForm assessment={assessment} onClose={close} />
        ) : (
          <div className="row">
            <Changes>
              <Button size="small" variant="outlined" onClick={() => onDo('rename')}>
                Rename
              </Button>
              <Button size="small" variant="outlined" onClick={() => onDo('upload')}>
                Upload questions
              </Button>
              <Button size="small" variant="outlined" onClick={() => onDo('edit')}>
                Edit questions
              </Button>
            </Changes>
            {questions.length > 0 && (
              <Button size="small" variant="outlined" component={Link} to={atSameMoment(`/mappings?test=${assessment.id}`)}>
                Topic mappings
              </Button>
            )}
            <HistoryLink of={assessment} />
            <Changes>
              <Button size="small" color="error" onClick={onDelete}>
                Delete
              </Button>
            </Changes>
          </div>
        )}
      </div>
      {questions.length === 0 ? (
        <p className="muted">
          No questions yet. <Changes>Upload a CSV file of them, or add them one by one under Edit questions.</Changes>
        </p>
      ) : (
        <Table label={`Questions of ${assessment.name}`} isList>
          <Heads names={['No', 'Topic', 'Max mark']} figures={['No', 'Max mark']} />
          <tbody>
            {questions.map(({ questionId, number, topic, marksAvailable }) => (
              <tr key={questionId}>
                <td className="figure">{number}</td>
                <td className="breaks">{topic}</td>
                <td className="figure">{marksAvailable}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {doing === 'upload' && <UploadDialog contents={contents.data} refetch={contents.refetch} onClose={close} />}
      {doing === 'edit' && (
        <QuestionsDialog
          contents={contents.data}
          isGone={isRefused(contents.error, 'not-found')}
          refetch={contents.refetch}
          onClose={close}
        />
      )}
    </div>
  );
};

/** Replaces the Rename button until it is saved or cancelled. */
const RenameForm = ({ assessment, onClose }: { readonly assessment: Assessment; readonly onClose: () => void }) => {
  const { save, trouble, saving } = useSaveRecord<Assessment>({
    resource: 'assessments',
    record: assessment,
    given: undefined,
    onSaved: onClose,
  });
  return (
    <Form<Assessment> record={assessment} onSubmit={save} noValidate>
      <FormTyped />
      <Trouble trouble={trouble} />
      <div className="row top">
        <TextInput source="name" label="Assessment name" validate={required('Required.')} autoFocus inputProps={{ maxLength: 200 }} />
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" type="submit" disabled={saving || trouble?.kind === 'gone'}>
          Save
        </Button>
      </div>
    </Form>
  );
};
