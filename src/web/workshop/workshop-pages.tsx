import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Outlet, useOutletContext, useLocation, useNavigation, useRevalidator } from 'react-router';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useEffect, useRef, useState } from 'react';
import { loggedOutEvent } from '#web/logged-out.ts';
import { refreshFailedEvent } from '#web/refresh-failed.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { LocalTime } from './local-time.tsx';

/** A page of Studio or Admin. Loaded data stays when newer data fails, below a notice of its age. */
export function WorkshopPages() {
  return (
    <>
      <StaleNotice />
      <Outlet context={useOutletContext()} />
    </>
  );
}

type Stale = { asOf: number; reason: 'offline' | 'failed' | 'logged-out' };

/** Above a page whose newer data failed to load: the loaded data stays, with its time, and so does unsaved input. */
function StaleNotice() {
  const stale = useStale();
  const { revalidate, state } = useRevalidator();
  if (stale === undefined) return null;
  return (
    <div className="note sticky top-3 z-10 mb-6 items-center max-lg:top-18" role="alert">
      <Icon of={WifiOff} size={18} />
      <span className="min-w-0 flex-1">
        {stale.reason === 'logged-out' ? (
          t`You are logged out. What you typed stays here while this page is open: log in again in another tab, then save.`
        ) : stale.reason === 'offline' ? (
          <Trans>
            No connection. As of <LocalTime at={stale.asOf} style="clock" />.
          </Trans>
        ) : (
          <Trans>
            Newer data could not be loaded. As of <LocalTime at={stale.asOf} style="clock" />.
          </Trans>
        )}
      </span>
      {stale.reason === 'logged-out' ? (
        <a className="btn btn--secondary btn--small" href="/" target="_blank" rel="noreferrer">
          <Trans>Log in</Trans>
        </a>
      ) : (
        <Button size="sm" busy={state === 'loading' ? t`Trying` : undefined} onClick={() => void revalidate()}>
          {t`Try again`}
        </Button>
      )}
    </div>
  );
}

function useStale(): Stale | undefined {
  const { pathname } = useLocation();
  const [stale, setStale] = useState<Stale>();
  const { state: navigating } = useNavigation();
  const { state: refreshing } = useRevalidator();
  const loadedAt = useRef(0);
  const hasFailed = useRef(false);
  useEffect(() => {
    function note(event: Event): void {
      event.preventDefault();
      hasFailed.current = true;
      setStale({ asOf: loadedAt.current, reason: navigator.onLine ? 'failed' : 'offline' });
    }
    window.addEventListener(refreshFailedEvent, note);
    return () => window.removeEventListener(refreshFailedEvent, note);
  }, []);
  const hasTyped = useRef(false);
  useEffect(() => {
    hasTyped.current = false;
  }, [pathname]);
  useEffect(() => {
    const type = ({ target }: Event) => {
      if (target instanceof Element && target.matches('main :is(textarea, input:not([type=search]))'))
        hasTyped.current = true;
    };
    // Keeps unsaved input, which a 404 page would discard. A page without changes becomes a 404, so that nothing
    // private stays on the screen.
    const keep = (event: Event) => {
      if (!hasTyped.current) return;
      event.preventDefault();
      setStale({ asOf: loadedAt.current, reason: 'logged-out' });
    };
    document.addEventListener('input', type);
    window.addEventListener(loggedOutEvent, keep);
    return () => {
      document.removeEventListener('input', type);
      window.removeEventListener(loggedOutEvent, keep);
    };
  }, []);
  const isIdle = navigating === 'idle' && refreshing === 'idle';
  useEffect(() => {
    if (!isIdle) return;
    if (!hasFailed.current) {
      loadedAt.current = Date.now();
      setStale(undefined);
    }
    hasFailed.current = false;
  }, [isIdle]);
  return stale;
}
