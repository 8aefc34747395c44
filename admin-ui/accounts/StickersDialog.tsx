import { FormControlLabel, Radio, RadioGroup, TextField } from '@mui/material';
import { useId, useState } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { QrCode } from '../../ui/controls/QrCode.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useHandOut } from '../../ui/file/useHandOut.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { readFont } from '../../ui/reports/read-font.ts';
import styles from './Users.module.css';

type Subject = { readonly subjectId: string; readonly name: string };
type StickersDialogProps = { readonly subject: Subject; readonly code: string; readonly link: string; readonly onClose: () => void };

/** Stickers to cut out and hand to students: the code, and a QR code of the joining page. */
export const StickersDialog = ({ subject, code, link, onClose }: StickersDialogProps) => {
  const { me } = useSession();
  const handOut = useHandOut();
  const labelId = useId();
  const [stickers, setStickers] = useState<14 | 16>(14);
  const [sheets, setSheets] = useState('1');
  const count = Number(sheets);
  const isCount = Number.isInteger(count) && count >= 1 && count <= 50;
  const { send, pending, error } = useSend({
    act: async (_: void) => {
      const { signupSheet } = await import('../../ui/reports/signup-sheet.ts');
      const { subjectId, name } = subject;
      const pdf = await signupSheet({ school: me.school.name, subject: name, code, link, stickers, sheets: count, font: readFont });
      await handOut({ what: 'joining code', as: 'paper', subjectId }, 'Signup_sheet.pdf', pdf, 'application/pdf');
    },
    showsError: true,
  });
  return (
    <Dialog title="Print stickers" open onClose={onClose}>
      <div className="stack pad">
        {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
        <QrCode className={styles.qr} text={link} label={`QR code of ${link}`} />
        <p className="breaks">It leads to {link}</p>
        <p id={labelId}>Stickers on a sheet of A4</p>
        <RadioGroup row aria-labelledby={labelId} value={stickers} onChange={({ target }) => setStickers(target.value === '16' ? 16 : 14)}>
          <FormControlLabel value={14} control={<Radio />} label="14" />
          <FormControlLabel value={16} control={<Radio />} label="16" />
        </RadioGroup>
        <TextField
          label="Sheets"
          type="number"
          value={sheets}
          onChange={({ target }) => setSheets(target.value)}
          error={!isCount}
          helperText={isCount ? `${count * stickers} stickers` : 'A number from 1 to 50'}
          slotProps={{ htmlInput: { min: 1, max: 50 } }}
        />
      </div>
      <DialogFoot>
        <Button look="primary" disabled={pending || !isCount} onClick={() => void send()}>
          {pending ? 'Making the sheet…' : 'Download Signup_sheet.pdf'}
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
