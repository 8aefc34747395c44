/** A class that sits an assessment for a task, as one text. */
export const mapKey = ({ setId, testId }: { readonly setId: string; readonly testId: string }): string => `${setId} ${testId}`;

export const mapOf = (key: string): { setId: string; testId: string } => {
  const [setId = '', testId = ''] = key.split(' ');
  return { setId, testId };
};
