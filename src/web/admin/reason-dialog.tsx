import { useState } from 'react';
import type { ReactNode } from 'react';
import { Field } from '#web/ui/fields/field.tsx';
import { ConsequenceDialog } from './consequence-dialog.tsx';

type ReasonDialogProps = {
  title: string;
  consequences: ReactNode;
  verb: string;
  isBusy: boolean;
  isReady?: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks for confirmation and a reason, which goes into the log. Open while rendered. */
export function ReasonDialog({ isReady = true, onConfirm, children, ...props }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <ConsequenceDialog {...props} isReady={isReady && reason.trim() !== ''} onConfirm={() => onConfirm(reason.trim())}>
      {children}
      <Field
        label="Reason, for the log"
        value={reason}
        maxLength={500}
        autoComplete="off"
        onChange={(event) => setReason(event.target.value)}
      />
    </ConsequenceDialog>
  );
}
