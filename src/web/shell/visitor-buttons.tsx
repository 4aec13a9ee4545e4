import { Link } from 'react-router';
import { useSession } from '../identity/session-provider.tsx';
import { useIsOn } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { onPlainPress } from '../ui/plain-press.ts';

const look = 'max-md:min-h-10 max-md:text-14 max-md:whitespace-nowrap';

/** The header's log-in and sign-up buttons for visitors: links for those without JavaScript. */
export function VisitorButtons() {
  const { openModal, preloadModals } = useSession();
  const takesAccounts = useIsOn('signUp');
  const near = { onPointerEnter: preloadModals, onFocus: preloadModals };
  return (
    <>
      <Button
        variant="ghost"
        className={`${look} max-md:px-2 max-[24.3125rem]:hidden`}
        render={<Link to="/library" data-keep-press />}
        onClick={onPlainPress(() => openModal('log-in'))}
        {...near}
      >
        Log in
      </Button>
      {takesAccounts && (
        <Button
          variant="primary"
          className={`${look} min-h-10 px-3 md:px-4.5`}
          render={<Link to="/library" data-keep-press />}
          onClick={onPlainPress(() => openModal('sign-up'))}
          {...near}
        >
          Get Started
        </Button>
      )}
    </>
  );
}
