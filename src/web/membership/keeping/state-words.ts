import { t } from '@lingui/core/macro';
import type { Subscription } from '#domain/membership/shapes.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import type { Plain } from '../plain.ts';
import { usableUntil } from '../wording.ts';

/** For loaders: the browser gets the words. */

export type StateTone = 'good' | 'warning' | 'quiet';

/** State of a subscription as a short label, where there is one, and a sentence. */
export type StateWords = { tag: string | undefined; tone: StateTone; text: string };

export function stateWords(subscription: Plain<Subscription>, now: number): StateWords {
  const { state, freeBy, trialEndsAt, renewsAt, endsAt, giftUntil, openAmount, currency, pause } = subscription;
  switch (state) {
    case 'confirming':
      return { tag: t`Not confirmed`, tone: 'warning', text: t`Your bank has not confirmed your card yet.` };
    case 'trialing': {
      const until = trialEndsAt && formatDay(trialEndsAt);
      const isGift = freeBy === 'gift';
      return {
        tag: isGift ? t`Gift` : t`Free trial`,
        tone: 'good',
        text:
          until === null
            ? t`Unlimited access to all audios.`
            : isGift
              ? t`Unlimited access to all audios. A gift until ${until}.`
              : t`Unlimited access to all audios. Free until ${until}.`,
      };
    }
    case 'paused':
      return { tag: t`Paused`, tone: 'quiet', text: pauseLine(pause) };
    case 'active': {
      const day = renewsAt && formatDay(renewsAt);
      const paused = pause && pauseLine(pause);
      return {
        tag: t({ message: 'Active', context: 'subscription' }),
        tone: 'good',
        text: paused
          ? t`Unlimited access to all audios. ${paused}`
          : day === null
            ? t`Unlimited access to all audios.`
            : t`Unlimited access to all audios. Renews on ${day}.`,
      };
    }
    case 'past-due': {
      const until = usableUntil(subscription, now);
      const amount = openAmount === null || currency === null ? null : formatMoney(openAmount, currency);
      const failed =
        amount === null
          ? t`Your last payment did not go through.`
          : t`Your last payment of ${amount} did not go through.`;
      const access =
        until === null ? t`You can listen again once a payment succeeds.` : t`You can listen until ${until}.`;
      return { tag: t`Payment failed`, tone: 'warning', text: `${failed} ${access}` };
    }
    case 'ending': {
      const day = formatDay(endsAt ?? '');
      return {
        tag: t({ message: 'Canceled', context: 'subscription' }),
        tone: 'quiet',
        text:
          freeBy === 'trial'
            ? t`Your free trial ends on ${day}. Nothing is charged again.`
            : t`Your subscription ends on ${day}. Nothing is charged again.`,
      };
    }
    case 'ended':
    case 'none': {
      if (giftUntil !== null) {
        const day = formatDay(giftUntil);
        return { tag: t`Gift`, tone: 'good', text: t`Unlimited access to all audios until ${day}.` };
      }
      if (state !== 'ended' || endsAt === null)
        return { tag: undefined, tone: 'quiet', text: t`You can hear the preview and every free audio.` };
      const day = formatDay(endsAt);
      return {
        tag: t({ message: 'Ended', context: 'subscription' }),
        tone: 'quiet',
        text: t`Your subscription ended on ${day}.`,
      };
    }
  }
}

/** `Paused from 3 January 2027 to 3 March 2027.` */
function pauseLine(pause: Plain<Subscription>['pause']): string {
  if (pause === null) return t`Your subscription is paused.`;
  const [from, until] = [formatDay(pause.from), formatDay(pause.until)];
  return pause.isWaiting
    ? t`Paused from ${from} to ${until}. The payment provider has not confirmed the last change yet.`
    : t`Paused from ${from} to ${until}. Nothing is charged in that time.`;
}
