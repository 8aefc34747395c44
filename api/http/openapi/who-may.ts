import { readsWholeSchool } from '../../actor.ts';
import type { Role } from '../../../events/codec/event.ts';
import type { Rule } from '../../common/rule.ts';

/** 'For admin and auditor; for leader in their own subjects; for teacher in their own sets.' */
export const whoMay = ({ roles, within, ifOpen }: Rule): string => {
  if (roles.length === 0) return 'For anybody.';
  const all = roles.filter((role) => within === 'school' || readsWholeSchool({ role }));
  const some = roles.filter((role) => !all.includes(role)).map((role) => `for ${role} ${whatIsTheirs(role, within)}`);
  const open = ifOpen === undefined ? [] : [`for ${ifOpen} in their own subjects while the school's structure is open to leaders`];
  const sentence = [`for ${all.join(' and ')}`, ...some, ...open].join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
};
const whatIsTheirs = (role: Role, within: Rule['within']): string =>
  role !== 'teacher' ? 'in their own subjects' : (OF_TEACHERS[within] ?? 'in their own subjects');
const OF_TEACHERS: Partial<Record<Rule['within'], string>> = {
  sets: 'in their own sets',
  'year group': 'in the year groups in which they have a set',
};
