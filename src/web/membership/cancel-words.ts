import type { Subscription } from '#domain/membership/shapes.ts';
import type { Plain } from './plain.ts';
import { accessUntil } from './wording.ts';

/** States the consequences of canceling before it is done. */
export function cancelLine(subscription: Plain<Subscription>): string {
  const until = accessUntil(subscription);
  const now = endsAtOnce(subscription) ? 'It ends now. ' : '';
  const listening = until === null ? 'You' : `You can listen without limits until ${until}. After that you`;
  return `${now}${listening} keep your library and your account. You will not be charged again.`;
}

/** Nothing is left of a period that was not paid. */
export function endsAtOnce({ state, endsAt, renewsAt }: Plain<Subscription>): boolean {
  return state === 'past-due' || (endsAt ?? renewsAt) === null;
}
