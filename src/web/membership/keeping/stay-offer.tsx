import { t } from '@lingui/core/macro';
import type { Subscription } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import type { Plain } from '../plain.ts';
import { useChange } from '../use-change.ts';
import { monthsOf } from '../wording.ts';

type Offer = NonNullable<Plain<Subscription>['stayOffer']>;

/** The operator’s discount for those who stay. */
export function StayOffer({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const { isBusy, failure, run } = useChange();
  const { percentOff, months } = offer;
  const accept = async () => {
    const json = { percentOff, months };
    if (await run(() => answerOf(api.user.subscription.stay.$post({ json })), t`Your discount counts from now on`))
      onDone();
  };
  return (
    <>
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <Button
        variant="outline"
        size="lg"
        width="full"
        busy={isBusy ? t`One moment…` : undefined}
        onClick={() => void accept()}
      >
        {offer.isOnce
          ? t`Stay for ${percentOff}% off the next payment`
          : t`Stay for ${percentOff}% off for ${{ duration: monthsOf(months) }}`}
      </Button>
    </>
  );
}
