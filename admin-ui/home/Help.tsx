import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import { Accordion, AccordionDetails, AccordionSummary } from '@mui/material';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import type { PathOf } from '../../ui/pages.ts';
import { pageAt } from '../../ui/pages.ts';
import styles from './Home.module.css';

type Topic = {
  /** The page with the entry of the menu. */
  readonly head: PathOf<'admin-ui'>;
  readonly about: string;
  /** What its pages are for. */
  readonly ways: Readonly<Partial<Record<PathOf<'admin-ui'>, string>>>;
};

const topics: readonly Topic[] = [
  {
    head: '/admin/subjects',
    about: 'What the school teaches and examines, and in which classes. You see and change the subject in the header.',
    ways: {
      '/admin/subjects': 'A subject holds everything below. One that is deleted is hidden with all of it, and can be restored.',
      '/admin/sow': 'The topics in the order in which they are taught.',
      '/admin/assessments': 'Assessments with their questions, and whether students see them.',
      '/admin/classes': 'Year groups and sets, their scheme of work, assessments and RAG thresholds.',
      '/admin/mappings': 'Which topics belong to which questions.',
      '/admin/terminal': 'What the students work towards, and in which year.',
      '/admin/teachers': 'Who teaches which sets.',
    },
  },
  {
    head: '/admin/add_students',
    about: 'Who is in which set. Marks belong to the student and stay when the student moves.',
    ways: {
      '/admin/add_students': 'Add, correct and move single students.',
      '/admin/upload_students': 'A whole year from a CSV file, with a preview of every change.',
    },
  },
  {
    head: '/admin/users',
    about: 'Who can log in. Teacher and student accounts are created by the department lead or an admin.',
    ways: {
      '/admin/users': 'Invite admins, leaders and teachers, and say what they may do.',
      '/admin/users_students': 'The joining code, its stickers, and the accounts that have joined.',
    },
  },
  {
    head: '/admin/export',
    about: 'Everything that was entered, as CSV.',
    ways: { '/admin/export': 'Choose the kind of data, then look at it or download it.' },
  },
];

/** Where to find things. */
export const Help = () => (
  <Section title="Help">
    {topics.map(({ head, about, ways }) => (
      <Accordion key={head}>
        <AccordionSummary expandIcon={<ExpandMoreIcon />}>
          <strong>{pageAt(head).menu?.label}</strong>
        </AccordionSummary>
        <AccordionDetails>
          <p>{about}</p>
          <ul className={`stack ${styles.ways}`}>
            {Object.entries(ways).map(([to, what]) => (
              <li key={to}>
                <AppLink to={to}>{pageAt(to).label}</AppLink> {what}
              </li>
            ))}
          </ul>
        </AccordionDetails>
      </Accordion>
    ))}
  </Section>
);
