import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { queueHeadingId, useQueueView } from './queue-view-state.tsx';

/** Replaces the site header while the queue is open (spec §2, “Page shell”). */
export function QueueHeader() {
  const { close } = useQueueView();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // Layers above the page handle Escape first.
    if (event.key === 'Escape' && !event.defaultPrevented && !isCovered()) close();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <header data-site-header className="header [box-shadow:0_1px_0_var(--line)]">
      <div className="wrap flex h-(--header) items-center gap-0.5 md:gap-2">
        <h1 id={queueHeadingId} className="text-[1.75rem]" tabIndex={-1}>
          <Trans>Your Queue</Trans>
        </h1>
        <span className="flex-1" />
        <IconButton label={t`Close queue`} icon={X} iconSize={24} onClick={close} />
      </div>
    </header>
  );
}

function isCovered(): boolean {
  // A closing one stays briefly without `data-open`, and handles no keys.
  return document.querySelector('[data-open]:is([role=dialog],[role=menu])') !== null;
}
