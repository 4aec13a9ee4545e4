import { href, Link } from 'react-router';
import { useSession } from '#web/identity/session-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { onPlainPress } from '#web/ui/plain-press.ts';

/** The one thing to do on the front page. Without script it leads to the page that says what to do. */
export function StartTrialButton() {
  const { user, openModal, preloadModals } = useSession();
  if (user !== null) return null;
  return (
    <Button
      variant="primary"
      size="lg"
      render={<Link to={href('/library')} />}
      onClick={onPlainPress(() => openModal('sign-up'))}
      onPointerEnter={preloadModals}
      onFocus={preloadModals}
    >
      Start free trial
    </Button>
  );
}
