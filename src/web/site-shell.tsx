import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useSession } from './identity/session-provider.tsx';
import { PlayerBar } from './listening/player-bar.tsx';
import { usePlayerState, useSayGoodbye } from './listening/player-provider.tsx';
import { QueueHeader } from './listening/queue-header.tsx';
import { PaymentNotice } from './membership/payment-notice.tsx';
import { useQueueView } from './listening/queue-view-state.tsx';
import { Shell } from './shell/shell.tsx';
import type { ShellSite } from './shell/shell.tsx';
import type { RootData } from './root-data.ts';
import { useLoaded } from './ui/use-loaded.ts';

const loadQueueView = () => import('./listening/queue-view.tsx');

/** The shell with the site's player, whose queue takes the page's place while it is open; the page stays as it was behind it. */
export function SiteShell({ site, children }: { site: ShellSite & Pick<RootData, 'pastDue'>; children: ReactNode }) {
  const { isOpen } = useQueueView();
  const { beforeLogOut } = useSession();
  const sayGoodbye = useSayGoodbye();
  useEffect(() => beforeLogOut(sayGoodbye), [beforeLogOut, sayGoodbye]);
  const hasStarted = usePlayerState(({ status }) => status !== 'idle');
  const queue = useLoaded(loadQueueView, isOpen || hasStarted);
  return (
    <Shell
      site={site}
      notice={site.pastDue && <PaymentNotice usableUntil={site.pastDue.usableUntil} />}
      header={isOpen ? <QueueHeader /> : undefined}
      player={<PlayerBar />}
    >
      <div hidden={isOpen}>{children}</div>
      {isOpen && queue && <queue.QueueView />}
    </Shell>
  );
}
