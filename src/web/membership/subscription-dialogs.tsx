import type { Plan } from '#domain/membership/payment-provider.ts';
import type { Subscription } from '#domain/membership/shapes.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { CardDialog } from './card-dialog.tsx';
import { PeriodDialog } from './period-dialog.tsx';
import type { Plain } from './plain.ts';
import { PromoCodeDialog } from './promo-code-dialog.tsx';
import { otherPeriod } from './wording.ts';

export type SubscriptionDialog = 'cancel' | 'card' | 'period' | 'promo-code';

type SubscriptionDialogsProps = {
  open: SubscriptionDialog | undefined;
  onClose: () => void;
  subscription: Plain<Subscription>;
  plan: Plan;
};

/** Dialogs that change a subscription; loaded when the first one opens. */
export function SubscriptionDialogs({ open, onClose, subscription, plan: { period } }: SubscriptionDialogsProps) {
  return (
    <>
      <CancelDialog open={open === 'cancel'} onClose={onClose} subscription={subscription} />
      <CardDialog open={open === 'card'} onClose={onClose} state={subscription.state} />
      <PeriodDialog open={open === 'period'} onClose={onClose} from={period} to={otherPeriod(period)} />
      <PromoCodeDialog open={open === 'promo-code'} onClose={onClose} />
    </>
  );
}
