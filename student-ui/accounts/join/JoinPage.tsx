import type { JoinChoices, JoinSchool } from '#api/contract/auth';
import { authMessages } from '#api/contract/auth-messages';
import { useState } from 'react';
import { Link } from 'wouter';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Below, Card } from '../../../ui/frame/Card.tsx';
import { AccountStep } from './AccountStep.tsx';
import { BirthdayStep } from './BirthdayStep.tsx';
import { CodeStep } from './CodeStep.tsx';
import { NameStep } from './NameStep.tsx';

type JoinStep =
  | { readonly at: 'code' }
  | { readonly at: 'birthday'; readonly school: JoinSchool }
  | { readonly at: 'name'; readonly school: JoinSchool; readonly choices: JoinChoices['choices'] }
  | { readonly at: 'account'; readonly school: JoinSchool };

const numbers = { code: 1, birthday: 2, name: 3, account: 4 } as const;

/** A student joins the school: code, date of birth, name, log-in. A wrong answer starts again. */
export const JoinPage = () => {
  const [step, setStep] = useState<JoinStep>({ at: 'code' });
  const [failure, setFailure] = useState<string>();
  const go = (next: JoinStep) => {
    setFailure(undefined);
    setStep(next);
  };
  const startAgain = (why: string) => {
    setFailure(why);
    setStep({ at: 'code' });
  };
  return (
    <Card
      title={step.at === 'code' ? 'Enter joining code' : `Join ${step.school.school}`}
      lead={
        step.at === 'code'
          ? 'From your teacher. It has 7 characters, and capitals matter.'
          : `${step.school.subject}, step ${numbers[step.at]} of 4`
      }
    >
      {failure && <Notice tone="bad" title={failure} />}
      {step.at === 'code' && (
        <CodeStep found={(school) => go({ at: 'birthday', school })} failed={setFailure} isFirstTry={failure === undefined} />
      )}
      {step.at === 'birthday' && (
        <BirthdayStep school={step.school} found={(choices) => go({ at: 'name', school: step.school, choices })} failed={startAgain} />
      )}
      {step.at === 'name' && (
        <NameStep
          school={step.school}
          choices={step.choices}
          chosen={() => go({ at: 'account', school: step.school })}
          missing={() => {
            setFailure('Check your date of birth. If your name is missing again, ask your teacher which date your school has.');
            setStep({ at: 'birthday', school: step.school });
          }}
          failed={startAgain}
        />
      )}
      {step.at === 'account' && <AccountStep school={step.school} failed={startAgain} />}
      <Below>
        <Link to="/login">{failure === authMessages.joinedAlready ? 'Go to the log-in' : 'I have an account: log in'}</Link>
      </Below>
    </Card>
  );
};
