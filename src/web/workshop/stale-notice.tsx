import WifiOff from 'lucide-react/icons/wifi-off';
import { useEffect, useRef, useState } from 'react';
import { useNavigation, useRevalidator } from 'react-router';
import { refreshFailedEvent } from '../refresh-failed.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { LocalTime } from './local-time.tsx';

type Stale = { asOf: number; isOffline: boolean };

/** Above a page whose newer data could not be read: what was loaded stays, with its time. */
export function StaleNotice() {
  const stale = useStale();
  const { revalidate, state } = useRevalidator();
  if (stale === undefined) return null;
  return (
    <div className="note sticky top-3 z-10 mb-6 items-center max-lg:top-18" role="alert">
      <Icon of={WifiOff} size={18} />
      <span className="min-w-0 flex-1">
        {stale.isOffline ? 'No connection.' : 'Newer data could not be read.'} As of{' '}
        <LocalTime iso={new Date(stale.asOf).toISOString()} now={stale.asOf} style="clock" />.
      </span>
      <Button size="sm" busy={state === 'loading' ? 'Trying' : undefined} onClick={() => void revalidate()}>
        Try again
      </Button>
    </div>
  );
}

function useStale(): Stale | undefined {
  const [stale, setStale] = useState<Stale>();
  const { state: navigating } = useNavigation();
  const { state: refreshing } = useRevalidator();
  const loadedAt = useRef(0);
  const hasFailed = useRef(false);
  useEffect(() => {
    function note(event: Event): void {
      event.preventDefault();
      hasFailed.current = true;
      setStale({ asOf: loadedAt.current, isOffline: !navigator.onLine });
    }
    window.addEventListener(refreshFailedEvent, note);
    return () => window.removeEventListener(refreshFailedEvent, note);
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
