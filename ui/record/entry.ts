import type { RecordEntry } from '#api/history/history.contract';
import { roleNames } from '../roles.ts';

const nameOfRole = (role: string): string => (Object.entries(roleNames).find(([key]) => key === role)?.[1] ?? role).toLowerCase();

export const authorOf = ({ by: { name, role } }: Pick<RecordEntry, 'by'>): string => name ?? `A forgotten ${nameOfRole(role)}`;

export const asWhom = ({ role, name }: NonNullable<RecordEntry['viewedAs']>): string => `(viewing as ${name ?? `a ${nameOfRole(role)}`})`;

export const textOf = (entry: RecordEntry): string => `${authorOf(entry)} ${entry.sentence.map(({ text }) => text).join('')}`;
