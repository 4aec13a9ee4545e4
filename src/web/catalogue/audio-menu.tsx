import { t } from '@lingui/core/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { useLocation } from 'react-router';
import { Cover } from '#web/ui/images/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
import type { AudioMenuItemsProps } from './audio-menu-items.tsx';

type AudioMenuProps = AudioMenuItemsProps & { place: 'row' | 'head' };

const loadItems = () => import('./audio-menu-items.tsx');

/** For `list-actions.tsx`. Here, because the first such import costs a script more. */
export const loadDownloadAll = () => import('#web/downloads/download-all-button.tsx');

/** Further actions on an audio. Queue, favorites, playlists and sharing need an account (spec §6). */
export function AudioMenu({ place, ...props }: AudioMenuProps) {
  const { key } = useLocation();
  const { audio } = props;
  const { title } = audio;
  const label = place === 'row' ? t`More for ${title}` : t`More`;
  return (
    <Menu
      closeKey={key}
      load={loadItems}
      trigger={<IconButton className="icon-button--more" data-more-button icon={Ellipsis} label={label} />}
      header={
        <>
          <Cover imageUrl={audio.imageUrl} size={48} />
          <p className="min-w-0 flex-1">
            <b className="truncate block font-semibold">{audio.title}</b>
            <span className="text-13 text-muted">{audio.voice.name}</span>
          </p>
        </>
      }
    >
      {(items) => <items.AudioMenuItems {...props} />}
    </Menu>
  );
}
