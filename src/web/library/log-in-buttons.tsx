import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useSession } from '#web/identity/session-provider.tsx';
import { useIsOn } from '#web/root-data.ts';
import { Button } from '#web/ui/button.tsx';

/** Log-in and sign-up buttons, for a page that is empty without an account. */
export function LogInButtons() {
  const { openModal, preloadModals } = useSession();
  const takesAccounts = useIsOn('signUp');
  const near = { onPointerEnter: preloadModals, onFocus: preloadModals };
  return (
    <div className="empty__acts">
      <noscript>
        <p className="text-muted">
          <Trans>Logging in needs JavaScript.</Trans>
        </p>
      </noscript>
      {takesAccounts && (
        <Button variant="primary" onClick={() => openModal('sign-up')} {...near}>
          {t`Get Started`}
        </Button>
      )}
      <Button variant="outline" onClick={() => openModal('log-in')} {...near}>
        {t`Log in`}
      </Button>
    </div>
  );
}
