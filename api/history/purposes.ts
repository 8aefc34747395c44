/** What each read model is for, by its name: the only place that says it to people. */
export const purposes: Readonly<Record<string, string>> = {
  structure: 'Subjects, year groups, classes, schemes of work, teachers and exams',
  accounts: 'Who may log in, and as what',
  looks: 'Which member of staff has viewed the site as which student',
  roster: 'Students and their classes',
  assessments: 'Assessments and their questions',
  record: 'What History lists: who did what, and to whom',
  mappings: 'Which topics the questions belong to',
  revision_lists: 'Revision lists',
  results: 'Marks with their history, and what markbooks add up',
  prior: 'Prior scores',
  grade_profiles: 'Grade boundaries',
  tasks: 'Feedback tasks, rankings and grades',
  history: 'The index by which a school’s events are found',
  ledger: 'The chain of hashes that proves that no event is missing',
};
