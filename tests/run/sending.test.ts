import { expect, test } from 'vitest';
import { flagsByHand } from '../../run/check/sending.ts';

test('a busy flag by hand is found, and nothing else', () => {
  const text = `
    const [busy, setBusy] = useState(false);
    const [saving, setSaving] = useState<boolean>(false);
    const [isPending, setPending] = React.useState(false);
    const [open, setOpen] = useState(false);
    const [adding, setAdding] = useState(false);
    const { send, pending } = useSend({ act });
    const [setting, setSetting] = useState('setting');
  `;
  expect(flagsByHand(text)).toEqual(['busy', 'saving', 'Pending']);
});
