import { useState } from 'react';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Confirm } from '../../../ui/controls/Confirm.tsx';

/** Removes the ranking after a question that says what would go with it. */
export const RemoveRanking = ({ taskId, rankingId }: { readonly taskId: string; readonly rankingId: string }) => {
  const [isAsked, setAsked] = useState(false);
  const { send, pending } = useCommand('RemoveRanking', {
    input: () => ({ taskId, rankingId }),
    notice: () => 'The ranking was removed.',
    onDone: () => setAsked(false),
  });
  return (
    <>
      <Button look="remove" onClick={() => setAsked(true)}>
        Remove ranking
      </Button>
      {isAsked && (
        <Confirm
          title="Remove the ranking?"
          go="Remove ranking"
          stay="Keep it"
          removes
          pending={pending}
          onGo={() => void send()}
          onClose={() => setAsked(false)}
        >
          <p>
            Scores, ranks, what was decided by hand, and what teachers have said about them go with it. The totals stay, and the students
            can be ranked again.
          </p>
        </Confirm>
      )}
    </>
  );
};
