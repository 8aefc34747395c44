import type { Answer } from '../contract/answer.ts';
import { naturalOrder } from '../contract/order.ts';
import type { QueryCalls } from '../contracts.ts';

/** What calls have in common that tell of the structure of a subject. */
type Structure = Answer<QueryCalls['structure']['answer']>;

/** Classes of a subject, in the order of their names; of one year group, if it is named. */
export const setsOf = ({ yearGroups }: Structure, YeargroupID?: string) =>
  yearGroups
    .flatMap(({ yearGroupId, sets }) =>
      YeargroupID === undefined || yearGroupId === YeargroupID ? sets.map((set) => ({ ...set, yearGroupId })) : [],
    )
    .toSorted((one, other) => naturalOrder(one.name, other.name))
    .map(({ setId: id, ...set }) => setOf({ id, ...set }));

/** By the documented names, also of a record of the list of classes. */
export const setOf = ({ id, name, yearGroupId, schemeId }: Set) => ({
  SetId: id,
  SetName: name,
  YeargroupID: yearGroupId,
  SoWID: schemeId,
});
type Set = { readonly id: string; readonly name: string; readonly yearGroupId: string; readonly schemeId: string | null };

/** The same without their schemes of work. */
export const classesOf = (structure: Structure, YeargroupID?: string) => setsOf(structure, YeargroupID).map(({ SoWID: _, ...set }) => set);

/** Assessments of a subject, in the order of their names. */
export const testsOf = ({ tests }: Structure) =>
  tests.map(({ testId, name, max, visible }) => ({ TestID: testId, TestName: name, MaxMark: max, visible }));

/** A terminal exam of a subject. */
export const examOf = ({ terminalExamId, name, yearSat }: Exam, SubjectID: string) => ({
  EndpointID: terminalExamId,
  EndpointName: name,
  YearSat: yearSat,
  SubjectID,
});
type Exam = { readonly terminalExamId: string; readonly name: string; readonly yearSat: number };

/** As the documents have yes and no. */
export const binary = (is: boolean): 0 | 1 => (is ? 1 : 0);
