import Ellipsis from 'lucide-react/icons/ellipsis';
import { useLocation } from 'react-router';
import type { ContentSource } from '#domain/analytics/forms.ts';
import type { Playable } from '#web/listening/track-of.ts';
import { Cover } from '#web/ui/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu } from '#web/ui/menu.tsx';

export type AudioMenuProps = {
  audio: Playable;
  place: 'row' | 'head';
  source: ContentSource;
  /** In a list with manual order: moves the audio by one place, as an alternative to dragging. */
  onMove?: ((by: 1 | -1) => void) | undefined;
  /** In the listener’s own playlist. */
  onRemove?: (() => void) | undefined;
};

const loadItems = () => import('./audio-menu-items.tsx');

/** For `list-actions.tsx`. Here, because the first such import costs a script more. */
export const loadDownloadAll = () => import('#web/downloads/download-all-button.tsx');

/** Further actions on an audio. Queue, favorites, playlists and sharing need an account (spec §6). */
export function AudioMenu({ place, ...props }: AudioMenuProps) {
  const { key } = useLocation();
  const { audio } = props;
  const label = place === 'row' ? `More for ${audio.title}` : 'More';
  return (
    <Menu
      closeKey={key}
      load={loadItems}
      trigger={<IconButton className="ib--more" data-more-button icon={Ellipsis} label={label} />}
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
