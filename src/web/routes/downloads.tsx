import { href } from 'react-router';
import { TabLinks } from '#web/catalogue/tab-links.tsx';
import { LogInButtons } from '#web/library/log-in-buttons.tsx';
import { libraryTabs, tabLabels } from '#web/library/library-tabs.ts';
import { useListener } from '#web/listening/player-provider.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useLoaded } from '#web/ui/use-loaded.ts';
import type { Route } from './+types/downloads';

const loadList = () => import('#web/downloads/downloads-list.tsx');

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Downloads', description: 'Audios on this device.', index: 'no' });
}

/** Has no loader: what it shows is on the device, also without a connection. */
export default function Downloads() {
  const isVisitor = useListener().kind === 'visitor';
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6">Library</h1>
      <TabLinks
        label="Library"
        className="mt-6"
        tabs={[
          ...libraryTabs.map((tab) => ({
            label: tabLabels[tab],
            to: `${href('/library')}${tab === 'audios' ? '' : `?tab=${tab}`}`,
            isCurrent: false,
          })),
          { label: 'Downloads', to: href('/library/downloads'), isCurrent: true },
        ]}
      />
      {isVisitor ? (
        <EmptyState title="Sign in to see your downloads" text="Subscribers play downloads without a connection.">
          <LogInButtons />
        </EmptyState>
      ) : (
        <OwnDownloads />
      )}
    </div>
  );
}

function OwnDownloads() {
  const list = useLoaded(loadList, useHydrated());
  return (
    <>
      <noscript>
        <p className="py-16 text-center text-muted">Downloads need JavaScript.</p>
      </noscript>
      {list && <list.DownloadsList />}
    </>
  );
}
