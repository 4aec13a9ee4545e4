import Ellipsis from 'lucide-react/icons/ellipsis';
import { useLocation } from 'react-router';
import type { ContentSource } from '#domain/insight/forms.ts';
import type { Playable } from '#web/listening/track-of.ts';
import { Cover } from '#web/ui/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu } from '#web/ui/menu.tsx';

export type AudioMenuProps = {
  audio: Playable;
  place: 'row' | 'head';
  source: ContentSource;
  /** In a list that can be put in order: moves it by one place, for those who do not drag. */
  onMove?: ((by: 1 | -1) => void) | undefined;
  /** In a playlist of one's own. */
  onRemove?: (() => void) | undefined;
};

const loadItems = () => import('./audio-menu-items.tsx');

/** What else can be done with an audio. Queue, favourites, playlists and sharing need an account (spec §6). */
export function AudioMenu({ place, ...props }: AudioMenuProps) {
  const { key } = useLocation();
  const { audio } = props;
  const label = place === 'row' ? `More for ${audio.title}` : 'More';
  return (
    <Menu
      closeKey={key}
      load={loadItems}
      trigger={<IconButton className="ib--more" icon={Ellipsis} label={label} />}
      header={
        <>
          <Cover imageUrl={audio.imageUrl} size={48} />
          <p className="grow">
            <b className="trunc block font-semibold">{audio.title}</b>
            <span className="text-13 text-muted">{audio.voice.name}</span>
          </p>
        </>
      }
    >
      {(items) => <items.AudioMenuItems {...props} />}
    </Menu>
  );
}
