import { useState } from 'react';
import { Link } from 'wouter';
import { buttonClass } from '../../../ui/controls/Button.tsx';
import { Tabs } from '../../../ui/controls/Tabs.tsx';
import { Below, Card } from '../../../ui/frame/Card.tsx';
import { useSite } from '../../../ui/site/useSite.ts';
import { NewSchoolForm } from './NewSchoolForm.tsx';
import styles from './Register.module.css';

type Who = 'student' | 'teacher' | 'school';

export const RegisterPage = () => {
  const [who, setWho] = useState<Who>('student');
  return (
    <Card title="Register" wide>
      <Tabs
        label="Who are you?"
        chosen={who}
        onChoose={setWho}
        tabs={[
          { id: 'student', name: 'Student', content: <Student /> },
          { id: 'teacher', name: 'Teacher', content: <Teacher /> },
          { id: 'school', name: 'New school', content: <NewSchool /> },
        ]}
      />
      <Below>
        <Link to="/login">I have an account: log in</Link>
      </Below>
    </Card>
  );
};

const Student = () => (
  <div className={`stack gap-4 ${styles.text}`}>
    <p>Your school gives you a joining code of 7 characters, or a sheet with a QR code. Have your date of birth ready.</p>
    <p>
      <Link className={buttonClass('primary')} to="/code">
        Enter my joining code
      </Link>
    </p>
  </div>
);

const NewSchool = () => {
  const { registrationClosed } = useSite() ?? {};
  if (registrationClosed === undefined) return <NewSchoolForm />;
  return (
    <div className={`stack gap-4 ${styles.text}`}>
      <p>{registrationClosed}</p>
    </div>
  );
};

const Teacher = () => (
  <div className={`stack gap-4 ${styles.text}`}>
    <p>
      Teachers do not register themselves. The head of your department creates your account in <b>Admin</b>, under <b>Manage users</b>.
    </p>
    <p>You then receive an activation e-mail with a link: choose a password there, and you are in.</p>
  </div>
);
