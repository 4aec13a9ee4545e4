import { t } from '@lingui/core/macro';
import { answerOf, api } from '../../api.ts';
import { useChange } from '../use-change.ts';

/** Ends a pause. @param chargesNow a running one is charged at once, and access comes back with the payment */
export function useResume(chargesNow: boolean) {
  const { isBusy, failure, run } = useChange(({ isSubscribed }) => isSubscribed || !chargesNow);
  const resume = () =>
    run(
      () => answerOf(api.user.subscription.pause.end.$post({ json: { chargesNow } })),
      chargesNow ? t`Thank you. You have unlimited access again.` : t`Your subscription goes on without a pause`,
    );
  return { isBusy, failure, resume };
}
