import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { queueHeadingId, useQueueView } from './queue-view-state.tsx';

/** In place of the site's own header while the queue is open (spec §2, "Page shell"). */
export function QueueHeader() {
  const { close } = useQueueView();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // What lies over the page takes Escape first.
    if (event.key === 'Escape' && !event.defaultPrevented && !isCovered()) close();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <header className="hd hd--line">
      <div className="wrap hd__bar">
        <h1 id={queueHeadingId} className="text-[1.75rem]" tabIndex={-1}>
          Your Queue
        </h1>
        <span className="hd__sp" />
        <IconButton label="Close queue" icon={X} iconSize={24} onClick={close} />
      </div>
    </header>
  );
}

function isCovered(): boolean {
  return document.querySelector('[role=dialog]:not(.toast), [role=menu]') !== null;
}
