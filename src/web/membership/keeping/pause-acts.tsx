import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { Subscription } from '#domain/membership/shapes.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/note.tsx';
import type { Plain } from '../plain.ts';
import { PauseChoice } from './pause-choice.tsx';
import { useResume } from './use-resume.ts';

/** To pause, or to end a pause. */
export function PauseActs({ subscription }: { subscription: Plain<Subscription> }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  // Gift time in the pause comes before the charge.
  const chargesNow = subscription.state === 'paused' && subscription.giftUntil === null;
  const { isBusy, failure, resume } = useResume(chargesNow);
  const {
    nextCharge,
    pauseChoices: [choice],
  } = subscription;
  const price = nextCharge && formatMoney(nextCharge.amount, nextCharge.currency);
  if (subscription.pause !== null)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant={subscription.state === 'paused' ? 'primary' : 'outline'}
          busy={isBusy ? t`One moment…` : undefined}
          onClick={() => void resume()}
        >
          {subscription.state === 'paused' ? t`Resume now` : t`Do not pause`}
        </Button>
        {chargesNow && price !== null && <p className="text-muted">{t`${price} is charged at once.`}</p>}
        {failure !== undefined && <Note tone="error">{failure}</Note>}
      </div>
    );
  if (choice === undefined) return null;
  const pausesFrom = formatDay(choice.from);
  return (
    <>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        {t`Pause subscription`}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={t`Pause your subscription`}
        description={t`Your paid time stays as it is: the pause begins on ${pausesFrom}. You can pause once in twelve months.`}
      >
        <div className="form">
          <PauseChoice subscription={subscription} onDone={close} />
        </div>
      </Dialog>
    </>
  );
}
