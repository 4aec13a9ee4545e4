import { type ReactNode, useEffect } from 'react';
import { useSession } from './identity/session-provider.tsx';
import { PlayerBar } from './player/player-bar.tsx';
import { usePlayerCommands, usePlayerState } from './listening/player-provider.tsx';
import { useDelayed } from './listening/use-delayed.ts';
import { QueueHeader } from './player/queue-header.tsx';
import { PaymentNotice } from './membership/payment-notice.tsx';
import { useQueueView } from './player/queue-view-state.tsx';
import { usePageHandle } from './shell/page-handle.ts';
import { Shell } from './shell/shell.tsx';
import type { ShellSite } from './shell/shell-site.ts';
import type { RootData } from './root-data.ts';
import { useLoaded } from './ui/use-loaded.ts';

const loadQueueView = () => import('./player/queue-view.tsx');

/** Shell with the site’s player. While the queue is open it replaces the page, which stays mounted, hidden. */
export function SiteShell({ site, children }: { site: ShellSite & Pick<RootData, 'pastDue'>; children: ReactNode }) {
  const { isOpen } = useQueueView();
  const { beforeLogOut } = useSession();
  const { settleReports } = usePlayerCommands();
  useEffect(() => beforeLogOut(settleReports), [beforeLogOut, settleReports]);
  const hasStarted = usePlayerState(({ status }) => status !== 'idle');
  const isPlaying = usePlayerState(({ status }) => status === 'playing');
  const isNear = useDelayed(isPlaying);
  const queue = useLoaded(loadQueueView, isOpen ? 'now' : isNear);
  const { frame } = usePageHandle();
  const hasMain = frame === 'own';
  const queueView = isOpen && queue && <queue.QueueView />;
  return (
    <Shell
      site={site}
      notice={site.pastDue && <PaymentNotice usableUntil={site.pastDue.usableUntil} />}
      header={isOpen ? <QueueHeader /> : hasMain ? null : undefined}
      hasMain={hasMain}
      player={(!frame || hasStarted) && <PlayerBar />}
    >
      <div hidden={isOpen}>{children}</div>
      {hasMain && isOpen ? <main>{queueView}</main> : queueView}
    </Shell>
  );
}
