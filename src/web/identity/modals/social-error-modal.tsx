import { t } from '@lingui/core/macro';
import { socialProviders } from '#domain/identity/social-rules.ts';
import { useIsOn } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import type { ModalProps } from './modal-props.ts';

export function SocialErrorModal({ state, authFlow }: ModalProps) {
  const takesAccounts = useIsOn('signUp');
  const { socialErrorProvider = 'google', socialErrorMessage } = state;
  const { name } = socialProviders[socialErrorProvider];
  return (
    <>
      <DialogTitle>{t`We could not sign you in with ${name}`}</DialogTitle>
      <DialogText className="leading-[1.55]">{socialErrorMessage}</DialogText>
      <div className="form">
        <Button variant="primary" size="lg" width="full" onClick={() => authFlow.goTo('log-in')}>
          {t`Log in with email`}
        </Button>
        {takesAccounts && (
          <Button variant="ghost" width="full" onClick={() => authFlow.goTo('sign-up')}>
            {t`Try another way`}
          </Button>
        )}
      </div>
    </>
  );
}
