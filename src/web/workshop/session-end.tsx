import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { href, isRouteErrorResponse, Link, useRevalidator, useRouteError } from 'react-router';
import { useSession } from '../identity/session-provider.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { visitorMark } from './known-user.ts';

let wasOpen = false;

/** In pages of Studio and Admin: a 404 for visitors now means that the session has ended. */
export function useNoteOpened(): void {
  useEffect(() => {
    wasOpen = true;
  }, []);
}

/**
 * In error boundaries: asks to log in again when the session has ended, then shows the requested page.
 * @param children for all other errors
 */
export function OrSessionEnd({ children }: { children: ReactNode }) {
  const error = useRouteError();
  const isEnd = isRouteErrorResponse(error) && error.data === visitorMark && wasOpen;
  return isEnd ? <SessionEnd /> : children;
}

function SessionEnd() {
  const { user, openModal, preloadModals } = useSession();
  const { revalidate } = useRevalidator();
  // The rest of the page still belongs to the user; newer data also restores a session that only lost its cookie.
  const isBehind = user !== null;
  useEffect(() => {
    if (isBehind) void revalidate();
  }, [isBehind, revalidate]);
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed link is gone, and the focus with it.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <div className="wrap" ref={heading} tabIndex={-1}>
      <EmptyState
        of="page"
        title={t`You are logged out`}
        text={t`Your session has ended. Log in to continue with this page.`}
      >
        <Button
          variant="primary"
          onClick={() => openModal('log-in')}
          onPointerEnter={preloadModals}
          onFocus={preloadModals}
        >
          {t`Log in`}
        </Button>
        <Button variant="outline" render={<Link to={href('/')} />}>
          {t`Go home`}
        </Button>
      </EmptyState>
    </div>
  );
}
