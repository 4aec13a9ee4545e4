import { t } from '@lingui/core/macro';
import { answerOf, api } from '../../api.ts';
import { asJson, useChange } from '../use-change.ts';

/** Ends a pause. @param isRunning a running one is charged at once, and access comes back with the payment */
export function useResume(isRunning: boolean) {
  const { isBusy, failure, run } = useChange(({ isSubscribed }) => isSubscribed || !isRunning);
  const resume = () =>
    run(
      () => answerOf(api.user.subscription.pause.end.$post({}, asJson)),
      isRunning ? t`Thank you. You have unlimited access again.` : t`Your subscription goes on without a pause`,
    );
  return { isBusy, failure, resume };
}
