import { href } from 'react-router';
import { TabLinks } from '../../catalogue/tab-links.tsx';
import { metaOf } from '../../page-meta.ts';
import { useHydrated } from '../../ui/use-client-value.ts';
import { useLoaded } from '../../ui/use-loaded.ts';

const loadList = () => import('../../downloads/downloads-list.tsx');

/** The Library's other tabs; written out here, because sharing them would add a file to the Library's first load. */
const tabs = [
  ['Audios', ''],
  ['Creators', '?tab=voices'],
  ['Categories', '?tab=categories'],
  ['Playlists', '?tab=playlists'],
  ['Listeners', '?tab=users'],
  ['Your playlists', '?tab=own'],
] as const;

export const meta = metaOf({ title: 'Downloads', description: 'Audios on this device.', index: 'no' });

/** No loader: its content is on the device, and works offline. */
export default function Downloads() {
  const list = useLoaded(loadList, useHydrated());
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6">Library</h1>
      <TabLinks
        label="Library"
        className="mt-6"
        tabs={[
          ...tabs.map(([label, search]) => ({ label, to: href('/library') + search, isCurrent: false })),
          { label: 'Downloads', to: href('/library/downloads'), isCurrent: true },
        ]}
      />
      <noscript>
        <p className="py-16 text-center text-muted">Downloads need JavaScript.</p>
      </noscript>
      {list && <list.DownloadsList />}
    </div>
  );
}
