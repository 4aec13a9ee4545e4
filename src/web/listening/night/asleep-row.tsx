import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import MoonStar from 'lucide-react/icons/moon-star';
import Play from 'lucide-react/icons/play';
import type { Offer } from '#player/sleep/night-watch.ts';
import { formatTime } from '#formats/durations.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { usePlayerState } from '../player-provider.tsx';
import { nightWatch, useNight } from './open-night.ts';
import '#web/styles/sleep.css';

/** Offers the last sign of waking, and where the sound stopped. Any start removes it. */
export function AsleepRow() {
  const offer = useNight((night) => night.offer);
  const isDiscreet = usePlayerState((snapshot) => snapshot.isDiscreet);
  if (offer === undefined) return null;
  const [from, stopped] = [formatTime(offer.from.seconds), formatTime(offer.stopped.seconds)];
  return (
    <section className="asleep" aria-label={t`You fell asleep around here`} data-asleep>
      <Icon of={MoonStar} />
      <div className="asleep__text">
        <p className="font-semibold">
          <Trans>You fell asleep around here</Trans>
        </p>
        <p className="text-13 text-soft tabular-nums">{whereOf(offer, isDiscreet)}</p>
      </div>
      <div className="asleep__acts">
        <Button variant="primary" size="sm" onClick={() => nightWatch()?.startFrom('sign')}>
          <Icon of={Play} size={16} filled />
          <Trans>From {from}</Trans>
        </Button>
        <Button size="sm" onClick={() => nightWatch()?.startFrom('stopped')}>
          <Trans>From {stopped}</Trans>
        </Button>
      </div>
    </section>
  );
}

function whereOf({ sign, stopped, titles }: Offer, isDiscreet: boolean): string {
  const [woke, ended] = [formatTime(sign.seconds), formatTime(stopped.seconds)];
  if (titles === undefined) return t`Last sign of waking at ${woke}, it stopped at ${ended}.`;
  if (isDiscreet) return t`Last sign of waking at ${woke}, it stopped at ${ended} of a later audio.`;
  const { sign: first, stopped: last } = titles;
  return t`Last sign of waking at ${woke} of “${first}”, it stopped at ${ended} of “${last}”.`;
}
