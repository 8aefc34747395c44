import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import { Accordion, AccordionDetails, AccordionSummary } from '@mui/material';
import { AppLink } from '../../ui/frame/places.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import styles from './Home.module.css';

type Topic = {
  readonly title: string;
  readonly about: string;
  readonly ways: readonly { readonly label: string; readonly to: string; readonly what: string }[];
};

const topics: readonly Topic[] = [
  {
    title: 'School Structure',
    about: 'What the school teaches and examines, and in which classes. The subject in the header is the one that you see and change.',
    ways: [
      { label: 'Add/Modify Subjects', to: '/admin/subjects', what: 'A subject holds everything below. One with marks cannot be removed.' },
      { label: 'Schemes of Work', to: '/admin/sow', what: 'The topics in the order in which they are taught.' },
      { label: 'Assessment Data', to: '/admin/assessments', what: 'Assessments with their questions, and whether students see them.' },
      { label: 'Classes', to: '/admin/classes', what: 'Year groups and sets, their scheme of work, assessments and RAG thresholds.' },
      { label: 'Topic Mappings', to: '/admin/mappings', what: 'Which topics stand behind which questions.' },
      { label: 'Terminal Exams', to: '/admin/terminal', what: 'What the students work towards, and in which year.' },
      { label: 'Assign teachers to classes', to: '/admin/teachers', what: 'Who teaches which sets.' },
    ],
  },
  {
    title: 'Student Details',
    about: 'Who is in which set. Marks belong to the student and stay when he moves.',
    ways: [
      { label: 'Manually Allocate Students', to: '/admin/add_students', what: 'Add, correct and move single students.' },
      { label: 'Bulk Upload', to: '/admin/upload_students', what: 'A whole year from a CSV file, with a preview of every change.' },
    ],
  },
  {
    title: 'Manage Users',
    about: 'Who can log in. Teacher and student accounts are created by the department lead or an admin.',
    ways: [
      { label: 'Staff', to: '/admin/users', what: 'Invite admins, leaders and teachers, and say what they may do.' },
      { label: 'Students', to: '/admin/users_students', what: 'The joining code, its stickers, and the accounts that have joined.' },
    ],
  },
  {
    title: 'Export QLA Data',
    about: 'Everything that was entered, as CSV.',
    ways: [{ label: 'Export', to: '/admin/export', what: 'Choose the kind of data, then look at it or download it.' }],
  },
];

/** Where to find things. */
export const Help = () => (
  <Section title="Help">
    {topics.map(({ title, about, ways }) => (
      <Accordion key={title}>
        <AccordionSummary expandIcon={<ExpandMoreIcon />}>
          <strong>{title}</strong>
        </AccordionSummary>
        <AccordionDetails>
          <p>{about}</p>
          <ul className={styles.ways}>
            {ways.map(({ label, to, what }) => (
              <li key={to}>
                <AppLink to={to}>{label}</AppLink> {what}
              </li>
            ))}
          </ul>
        </AccordionDetails>
      </Accordion>
    ))}
  </Section>
);
