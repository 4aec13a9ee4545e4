import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TabLinks } from '../../catalogue/tab-links.tsx';
import { otherTabs } from '../../library/other-tabs.ts';
import { pageMeta } from '../../page-meta.ts';
import { useHydrated } from '../../ui/use-client-value.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import type { Route } from './+types/downloads';

const loadList = () => import('../../downloads/downloads-list.tsx');

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Downloads`, description: t`Audios on this device.`, index: 'no' });

/** No loader: its content is on the device, and works offline. */
export default function Downloads() {
  const list = useLoaded(loadList, useHydrated());
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6">
        <Trans>Library</Trans>
      </h1>
      <TabLinks label={t`Library`} className="mt-6" tabs={otherTabs('downloads')} />
      <noscript>
        <p className="py-16 text-center text-muted">
          <Trans>Downloads need JavaScript.</Trans>
        </p>
      </noscript>
      {list && <list.DownloadsList />}
    </div>
  );
}
