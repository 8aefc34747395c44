import { isCertain } from './failure.ts';
import { uuid } from './uuid.ts';

/**
 * Idempotency keys. The same input keeps its key for as long as nobody knows whether it was stored: sent twice, or again after the server
 * fell silent, it is stored once. An answer or a refusal is certain, and changed input is another act. Once something else has been stored,
 * an earlier act is done anew rather than repeated: otherwise switching on, off and on again could be answered by the first.
 */
export const createKeys = () => {
  const uncertain = new Map<string, { readonly key: string; running: number }>();
  return {
    /** `act`: what is sent and where to, as text. */
    during: async <Answer>(act: string, send: (key: string) => Promise<Answer>): Promise<Answer> => {
      const mine = uncertain.get(act) ?? { key: uuid(), running: 0 };
      uncertain.set(act, mine);
      mine.running++;
      try {
        const answer = await send(mine.key);
        for (const [other, { running }] of uncertain) if (other === act || running === 0) uncertain.delete(other);
        return answer;
      } catch (error) {
        if (isCertain(error)) uncertain.delete(act);
        throw error;
      } finally {
        mine.running--;
      }
    },
  };
};
