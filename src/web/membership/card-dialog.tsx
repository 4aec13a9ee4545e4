import { t } from '@lingui/core/macro';
import type { Subscription } from '#domain/membership/shapes.ts';
import { Dialog } from '../ui/layers/dialog.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { CardFormWait } from './card-form-wait.tsx';
import { loadOffer, takesCards } from './offer.ts';

// Loaded on demand: the form includes the provider’s packages.
const loadForm = () => import('./card-change-form.tsx');

type CardDialogProps = { open: boolean; onClose: () => void; state: Subscription['state'] };

/** Changes the card for future charges. */
export function CardDialog({ open, onClose, state }: CardDialogProps) {
  const form = useLoaded(loadForm, open);
  const offer = useLoaded(loadOffer, open);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissedBy="button"
      title={t`Use another card`}
      description={
        state === 'past-due'
          ? t`Outstanding amounts are charged to it now, and future payments too.`
          : state === 'ending'
            ? t`It is charged only if you resume your subscription.`
            : t`Future payments are charged to it.`
      }
    >
      {form && offer && takesCards(offer) ? <form.CardChangeForm offer={offer} onDone={onClose} /> : <CardFormWait />}
    </Dialog>
  );
}
