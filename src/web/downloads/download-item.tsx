import { t } from '@lingui/core/macro';
import CircleArrowDown from 'lucide-react/icons/circle-arrow-down';
import CircleCheck from 'lucide-react/icons/circle-check';
import { tabDownloads, canDownload } from '#web/listening/tab-downloads.ts';
import type { Playable } from '#web/listening/track-of.ts';
import { MenuItem } from '#web/ui/layers/menu-items.tsx';
import { useAddDownloads, useDownload } from './use-downloads.ts';

/** In an audio's menu. Renders nothing in browsers that cannot store audios. */
export function DownloadItem({ audio }: { audio: Playable }) {
  const download = useDownload(audio.id);
  const add = useAddDownloads();
  if (!canDownload()) return null;
  if (download === undefined)
    return (
      <MenuItem icon={CircleArrowDown} onSelect={() => add([audio], audio.title)}>
        {t`Download`}
      </MenuItem>
    );
  return (
    <MenuItem icon={CircleCheck} onSelect={() => void tabDownloads.remove(download.id)}>
      {download.state === 'kept' ? t`Remove download` : t`Cancel download`}
    </MenuItem>
  );
}
