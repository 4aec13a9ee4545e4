import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { href, Link } from 'react-router';
import type { ModalProps } from '../identity/modals/modal-props.ts';
import { useRootData } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { waitForPayment } from './act-after-payment.ts';
import { DialogText, DialogTitle } from '../ui/layers/dialog-window.tsx';
import { Paused } from './keeping/paused.tsx';

/**
 * Replaces the content for subscribers who have paused, or whose last payment failed: a second subscription would be
 * refused.
 */
export function UnlessPaymentDue({ state, authFlow, user, children }: ModalProps & { children: ReactNode }) {
  const name = state.subscribeName;
  const { pastDue, pausedUntil } = useRootData() ?? {};
  // Stays until the window closes: the page’s data come before the user’s.
  const [paused] = useState(pausedUntil);
  const hasResumed = paused !== undefined && user?.isSubscribed === true;
  useEffect(() => {
    const act = hasResumed ? authFlow.leave() : undefined;
    // After the effects of this render, which tell the player of the access.
    if (act !== undefined) queueMicrotask(act);
  }, [hasResumed, authFlow]);
  if (pastDue?.usableUntil !== null) return paused === undefined ? children : <Paused until={paused} />;
  return (
    <>
      <DialogTitle>{t`Your last payment did not go through`}</DialogTitle>
      <DialogText>
        {name === undefined
          ? t`You can hear all audios again once a payment succeeds.`
          : t`You can hear “${name}” again once a payment succeeds.`}
      </DialogText>
      <div className="form">
        <Button
          variant="primary"
          size="lg"
          width="full"
          render={<Link to={href('/account/subscription')} />}
          onClick={() => waitForPayment(authFlow.leave())}
        >
          {t`Update payment method`}
        </Button>
      </div>
    </>
  );
}
