import { t } from '@lingui/core/macro';
import { loadOffer } from './offer.ts';
import { trialCall } from './locked-line.ts';
import { useIsOn } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { Cover } from '../ui/images/cover.tsx';
import { DialogText, DialogTitle } from '../ui/layers/dialog-window.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { ModalProps } from '../identity/modals/modal-props.ts';

/** Names the pressed item and what it needs: an account or a subscription. The action runs afterwards. */
export function SignInPrompt({ state, authFlow }: ModalProps) {
  const { title, imageUrl, lockedTitle } = state.prompt ?? {};
  const takesAccounts = useIsOn('signUp');
  const isLocked = lockedTitle !== undefined;
  // Offline, the trial’s length is unknown, so no trial is promised.
  const trialDays = useLoaded(loadOffer, isLocked)?.trialDays;
  return (
    <>
      {imageUrl ? (
        <div className="flex items-center gap-4 pe-8">
          <Cover imageUrl={imageUrl} size={72} />
          <DialogTitle className="p-0 text-26">{title}</DialogTitle>
        </div>
      ) : (
        <DialogTitle>{title}</DialogTitle>
      )}
      <DialogText>
        {!isLocked
          ? t`Favorites, playlists and your queue need a free account.`
          : !takesAccounts
            ? t`Log in to continue.`
            : trialDays === undefined
              ? '\u00A0'
              : trialCall(trialDays)}
      </DialogText>
      <div className="form">
        {takesAccounts && (
          <Button
            variant="primary"
            size="lg"
            width="full"
            onClick={() => (isLocked ? authFlow.startTrial() : authFlow.goTo('sign-up'))}
          >
            {!isLocked ? t`Get Started` : trialDays === 0 ? t`Subscribe` : t`Start free trial`}
          </Button>
        )}
        <Button variant="outline" size="lg" width="full" onClick={() => authFlow.goTo('log-in')}>
          {t`Log in`}
        </Button>
      </div>
    </>
  );
}
