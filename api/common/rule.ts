import type { Role } from '../../events/codec/event.ts';
import type { Actor } from '../actor.ts';
import type { Thing } from './about.ts';

/** Who may give a command, ask a query or read a list; api/access.ts has one for each, and says what `within` and `ifOpen` mean. */
export type Rule = {
  readonly roles: readonly Role[];
  readonly within: 'school' | 'self' | 'subject' | 'sets' | 'year group' | 'listed';
  readonly ifOpen?: 'leader';
  /** Of commands. */
  readonly standing?: 'in the log';
};

/** Whether the role may do this at all. */
export const admits = (rule: Rule, actor: Actor): boolean =>
  rule.roles.includes(actor.role) || (isIfOpen(rule, actor) && actor.configures === true);

/** Whether the user has the right only while the structure is open to leaders. */
export const isIfOpen = ({ roles, ifOpen }: Rule, { role }: Actor): boolean => ifOpen === role && !roles.includes(role);

/** `of`: what a request is about, as far as its input names it, in the order in which it is looked up (api/common/about.ts). */
export type RuleAbout = Rule & { readonly of: readonly Thing[] };
export type QueryRule = RuleAbout & { readonly asOf: readonly Role[] };

/** The roles that may ask this as of an earlier moment. */
export const asOfRoles = ({ roles, ifOpen, asOf }: QueryRule): Role[] => asOf.filter((role) => roles.includes(role) || role === ifOpen);
