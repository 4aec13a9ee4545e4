import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { Subscription } from '#domain/membership/shapes.ts';
import { formatDay } from '#formats/times.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/layers/dialog.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Note } from '../ui/note.tsx';
import { PauseChoice } from './keeping/pause-choice.tsx';
import { StayOffer } from './keeping/stay-offer.tsx';
import type { Plain } from './plain.ts';
import { useChange } from './use-change.ts';
import { cancelLine, endsAtOnce } from './wording.ts';

const maxCharacters = 500;

type CancelDialogProps = { open: boolean; onClose: () => void; subscription: Plain<Subscription> };

/** Second of the two clicks to cancel. A reason is optional; other ways stand behind it. */
export function CancelDialog({ open, onClose, subscription }: CancelDialogProps) {
  const { isBusy, failure, run, clear } = useChange();
  const [reason, setReason] = useState('');
  const { stayOffer, pauseChoices } = subscription;
  const [pause] = pauseChoices;

  function close(): void {
    clear();
    onClose();
  }

  async function cancel(): Promise<void> {
    const json = reason.trim() === '' ? {} : { reason };
    const done = endsAtOnce(subscription) ? t`Your subscription has ended` : t`Your subscription is canceled`;
    if (await run(() => answerOf(api.user.subscription.cancel.$post({ json })), done)) close();
  }

  return (
    <Dialog open={open} onClose={close} title={t`Cancel your subscription?`} description={cancelLine(subscription)}>
      <div className="form">
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <Field
          label={t`Why are you canceling?`}
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
          busy={isBusy ? t`Canceling…` : undefined}
          onClick={() => void cancel()}
        >
          {t`Cancel subscription`}
        </Button>
        <Button className="bg-overlay" size="lg" width="full" onClick={close}>
          {t`Keep it`}
        </Button>
        {stayOffer !== null && <StayOffer offer={stayOffer} onDone={close} />}
        {pause !== undefined && (
          <>
            <p className="hint text-center">{t`Or pause from ${{ day: formatDay(pause.from) }}, and go on later`}</p>
            <PauseChoice subscription={subscription} onDone={close} />
          </>
        )}
      </div>
    </Dialog>
  );
}
