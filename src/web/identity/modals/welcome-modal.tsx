import { t } from '@lingui/core/macro';
import hero1000 from '../../art/hero-1000.avif';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { AppBadges } from './app-badges.tsx';
import type { ModalProps } from './modal-props.ts';

/** After sign-up: the way to the apps (spec §1). */
export function WelcomeModal({ promoCodeNote, authFlow, user, site }: ModalProps) {
  const { siteName } = site;
  const username = user?.username;
  return (
    <>
      <div className="modal__art">
        <img src={hero1000} alt="" width={1000} height={538} />
      </div>
      <DialogTitle>{username ? t`Welcome, ${username}` : t`Welcome`}</DialogTitle>
      <DialogText>{t`Take ${siteName} to bed. Your library and queue come with you in the app.`}</DialogText>
      <AppBadges appLinks={site.appLinks} authFlow={authFlow} />
      <div className="form mt-4">
        {user?.isSubscribed !== true && promoCodeNote}
        <Button variant="ghost" width="full" onClick={() => authFlow.modals.finish()}>
          {t`Continue in the browser`}
        </Button>
      </div>
    </>
  );
}
