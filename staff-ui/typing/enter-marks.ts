import type { Api } from '../../ui/api/client.ts';
import { isRefused } from '../../ui/api/failure.ts';
import type { Batch } from '../../ui/drafts/drafts.ts';
import type { Commands } from '../../ui/api/questions.ts';
import type { Save } from './queue.ts';

/** Sends a save, recorded as typed: as whoever was viewed then. */
export const enterMarks = async (
  api: Api,
  { id, input: { as, ...input } }: Batch<string, Save>,
): Promise<Commands['EnterMarks']['result']> => {
  const sendAs = async (viewAs: string | undefined) => (await api.command('EnterMarks', input, { key: id, as: viewAs })).result;
  try {
    return await sendAs(as);
  } catch (error) {
    const [role, teacherId] = as?.split(' ') ?? [];
    // A teacher who has left the subject meanwhile can be viewed no more, and the marks are none the less typed.
    if (teacherId === undefined || !isRefused(error, 'forbidden')) throw error;
    return sendAs(role);
  }
};
