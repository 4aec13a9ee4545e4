import { Link } from 'react-router';
import { useSession } from '../identity/session-provider.tsx';
import { Button } from '../ui/button.tsx';
import { onPlainPress } from '../ui/plain-press.ts';

/** What the header offers whoever is not logged in. */
export function WaysIn() {
  const { openModal, preloadModals } = useSession();
  const near = { onPointerEnter: preloadModals, onFocus: preloadModals };
  return (
    <>
      <Button
        variant="ghost"
        className="d-only"
        render={<Link to="/library" />}
        onClick={onPlainPress(() => openModal('log-in'))}
        {...near}
      >
        Log in
      </Button>
      <Button
        variant="primary"
        className="min-h-10 px-[18px]"
        render={<Link to="/library" />}
        onClick={onPlainPress(() => openModal('sign-up'))}
        {...near}
      >
        Get Started
      </Button>
    </>
  );
}
