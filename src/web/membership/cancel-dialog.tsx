import { useState } from 'react';
import type { Subscription } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/layers/dialog.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Note } from '../ui/note.tsx';
import type { Plain } from './plain.ts';
import { useChange } from './use-change.ts';
import { cancelLine, endsAtOnce } from './wording.ts';

const maxCharacters = 500;

type CancelDialogProps = { open: boolean; onClose: () => void; subscription: Plain<Subscription> };

/** Second of the two clicks to cancel. A reason is optional. */
export function CancelDialog({ open, onClose, subscription }: CancelDialogProps) {
  const { isBusy, failure, run, clear } = useChange();
  const [reason, setReason] = useState('');

  function close(): void {
    clear();
    onClose();
  }

  async function cancel(): Promise<void> {
    const json = reason.trim() === '' ? {} : { reason };
    const done = endsAtOnce(subscription) ? 'Your subscription has ended' : 'Your subscription is canceled';
    if (await run(() => answerOf(api.user.subscription.cancel.$post({ json })), done)) close();
  }

  return (
    <Dialog open={open} onClose={close} title="Cancel your subscription?" description={cancelLine(subscription)}>
      <div className="form">
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <Field
          label="Why are you canceling?"
          isOptional
          autoComplete="off"
          maxLength={maxCharacters}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button
          className="btn--danger"
          variant="outline"
          size="lg"
          width="full"
          busy={isBusy ? 'Canceling…' : undefined}
          onClick={() => void cancel()}
        >
          Cancel subscription
        </Button>
        <Button className="bg-overlay" size="lg" width="full" onClick={close}>
          Keep it
        </Button>
      </div>
    </Dialog>
  );
}
