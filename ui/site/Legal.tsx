import type { Site } from '#api/contract/auth';
import { Dialog } from '../controls/Dialog.tsx';
import styles from './Site.module.css';
import { useSite } from './useSite.ts';

export type LegalText = 'privacy' | 'terms';

type LegalProps = { readonly open: LegalText; readonly onClose: () => void };

export const Legal = ({ open, onClose }: LegalProps) => {
  const { operator = {} } = useSite() ?? {};
  return (
    <Dialog title={open === 'privacy' ? 'Privacy policy' : 'Terms and conditions'} open onClose={onClose} size="fit">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without it the keyboard cannot scroll */}
      <div role="region" aria-label="Text" tabIndex={0} className={`stack gap-3 pad ${styles.legal}`}>
        {open === 'privacy' ? <Privacy operator={operator} /> : <Terms operator={operator} />}
      </div>
    </Dialog>
  );
};

type Operator = Site['operator'];

const Privacy = ({ operator }: { readonly operator: Operator }) => (
  <>
    <p>
      Last updated 07/11/2019.{' '}
      {operator.name ? `${operator.name} runs this Marktrail in the United Kingdom.` : 'It is run in the United Kingdom.'}
    </p>
    <h3>What is collected</h3>
    <p>
      Of staff: name, e-mail address and role. Of students: name, date of birth, the school’s student number, the classes, and the marks
      that teachers and students enter. Of everybody who logs in: a password that nobody can read, the log-ins that are open, and which
      change was made when and by whom; of staff also at which student’s pages they looked. Two logs keep the service safe: one of log-ins,
      refusals and exports, with the network address; one of errors of pages and server, with the account.
    </p>
    <h3>What it is used for</h3>
    <p>
      To record and analyse assessment results for the school, to show students their own results, and to let a school see who changed what.
    </p>
    <h3>Who it is shared with</h3>
    <p>
      Staff of the school, as far as their role needs it, and each student, who sees their own. Of others a student sees nothing but
      averages and counts of at least five. It is sold to nobody and shown to no advertiser. It is handed to others only where the law
      demands it.
    </p>
    <h3>Cookies, and what stays on your device</h3>
    <p>
      One cookie keeps you logged in and one remembers your choice about cookies for 30 days; both are essential. What you have typed and
      the server has not stored yet is kept in your browser, by numbers and without names, until it is stored or you log out; of a student
      who enters marks also the questions’ numbers and maxima, and the program of the pages, so that they open without a connection. With
      your consent the browser also remembers which subject you looked at last, in a cookie too, so that pages open sooner.
    </p>
    <h3>How long it is kept</h3>
    <p>
      As long as the school uses Marktrail. The school can have a person forgotten at any time: name, date of birth and everything written
      about that person then become unreadable for ever, in back-ups too; marks stay as figures without a name. The log of log-ins is kept
      for 400 days, unless the operator says otherwise, and the log of errors for 90; back-ups are kept as long as the operator says. An
      e-mail address serves to log in and for messages about the account, and goes when the account is forgotten.
    </p>
    <h3>Your rights</h3>
    <p>
      You may see your data, have it corrected, moved or erased, and object to its use: students find theirs under “My data”, staff in their
      profile, and the school hands out the rest. Requests are answered within 30 days. You may complain to the Information Commissioner’s
      Office.
    </p>
    <h3>When something goes wrong</h3>
    <p>A breach that puts anybody’s data at risk is reported to the authority within 72 hours, and to those concerned.</p>
    <Contact operator={operator} />
  </>
);

const Terms = ({ operator }: { readonly operator: Operator }) => (
  <>
    <h3>Cookies</h3>
    <p>By using Marktrail you agree to the essential cookies that the privacy policy names.</p>
    <h3>Licence</h3>
    <p>
      Marktrail is free to use. What a school enters belongs to the school. Nobody may use Marktrail to publish other people’s results, to
      break into it, or to make it unusable for others.
    </p>
    <h3>Linking to Marktrail</h3>
    <p>Links to this site are welcome after a request, which is answered in 2-3 weeks, as long as they do not mislead about who runs it.</p>
    <h3>Disclaimer</h3>
    <p>
      Figures and predictions help a school to judge; they do not judge in its place. As far as the law allows, nobody is liable for
      decisions that were taken on them alone, or for times when the service cannot be reached.
    </p>
    <h3>Electronic communications</h3>
    <p>Messages about your account, such as a link to a new password, come by e-mail, and you agree to receive them that way.</p>
    <h3>Law</h3>
    <p>These terms are governed by the law of the United Kingdom.</p>
    <Contact operator={operator} />
  </>
);

const Contact = ({ operator: { name, email, address } }: { readonly operator: Operator }) => (
  <>
    <h3>Contact</h3>
    <p>
      {email ? (
        <>
          By e-mail: <a href={`mailto:${email}`}>{email}</a>.{' '}
        </>
      ) : (
        'By e-mail or post, by way of your school. '
      )}
      {address && `By post: ${[name, address].filter(Boolean).join(', ')}.`}
    </p>
  </>
);
