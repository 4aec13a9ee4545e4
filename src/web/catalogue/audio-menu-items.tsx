import { t } from '@lingui/core/macro';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Flag from 'lucide-react/icons/flag';
import Heart from 'lucide-react/icons/heart';
import LinkIcon from 'lucide-react/icons/link';
import ListMinus from 'lucide-react/icons/list-minus';
import ListPlus from 'lucide-react/icons/list-plus';
import ListX from 'lucide-react/icons/list-x';
import MicVocal from 'lucide-react/icons/mic-vocal';
import Plus from 'lucide-react/icons/plus';
import Share2 from 'lucide-react/icons/share-2';
import { Link } from 'react-router';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { DownloadItem } from '#web/downloads/download-item.tsx';
import { useAddToPlaylist, useFavoriteState } from '#web/favorites/library-provider.tsx';
import { shareAddress } from '#web/listening/arrival.ts';
import type { Playable } from '#web/listening/track-of.ts';
import { useQueuePlace } from '#web/listening/use-queue-place.ts';
import { useHasShareSheet, useShareLink } from '#web/analytics/use-share-link.ts';
import { MenuItem, MenuLink, MenuSeparator } from '#web/ui/layers/menu-items.tsx';
import { VoiceLink } from './content-link.tsx';
import { audioFavorite, useFavoritePress } from './favorite-button.tsx';
import { HideItems } from './hiding/hide-items.tsx';
import { ShareItem } from './share/share-item.tsx';

export type AudioMenuItemsProps = {
  audio: Playable;
  source: ContentSource;
  /** In a list with manual order: moves the audio by one place, as an alternative to dragging. */
  onMove?: ((by: 1 | -1) => void) | undefined;
  /** In the listener’s own playlist. */
  onRemove?: (() => void) | undefined;
};

/** Lists of listeners themselves: what they hide stays there. */
const ownLists = new Set<ContentSource>(['favorites', 'queue', 'userProfile']);

/** Loaded with the first menu that is hovered or opened. */
export function AudioMenuItems({ audio, source, onMove, onRemove }: AudioMenuItemsProps) {
  const { place, add, remove } = useQueuePlace(audio);
  const addToPlaylist = useAddToPlaylist();
  const shareLink = useShareLink();
  const hasSheet = useHasShareSheet();
  const { id, title, imageUrl, slug } = audio;
  const { name } = audio.voice;
  return (
    <>
      {/* Neither item for the current audio: it is the head of the queue (spec §4, “Queue”). */}
      {place === 'out' && (
        <MenuItem icon={ListPlus} onSelect={add}>
          {t`Add to queue`}
        </MenuItem>
      )}
      {place === 'up-next' && (
        <MenuItem icon={ListX} onSelect={remove}>
          {t`Remove from queue`}
        </MenuItem>
      )}
      {onMove && (
        <>
          <MenuItem icon={ArrowUp} onSelect={() => onMove(-1)}>
            {t`Move up`}
          </MenuItem>
          <MenuItem icon={ArrowDown} onSelect={() => onMove(1)}>
            {t`Move down`}
          </MenuItem>
        </>
      )}
      <FavoriteItem audio={audio} source={source} />
      <DownloadItem audio={audio} />
      <MenuItem icon={Plus} onSelect={() => addToPlaylist(audio)}>
        {t`Add to playlist`}
      </MenuItem>
      {onRemove && (
        <MenuItem icon={ListMinus} onSelect={onRemove}>
          {t`Remove from playlist`}
        </MenuItem>
      )}
      <MenuItem
        icon={hasSheet ? Share2 : LinkIcon}
        onSelect={() =>
          shareLink({
            name: title,
            address: shareAddress(slug, 0, window.location.origin),
            imageUrl,
            onCopy: () => logEvent('share_audio', { source, subjectId: id }),
          })
        }
      >
        {hasSheet ? t`Share` : t`Copy link`}
      </MenuItem>
      <ShareItem audio={audio} />
      <MenuSeparator />
      <MenuLink icon={MicVocal} render={<VoiceLink voice={audio.voice} source={source} />}>
        {t`Go to ${name}`}
      </MenuLink>
      <MenuSeparator />
      <HideItems audio={audio} staysInList={onRemove !== undefined || ownLists.has(source)} />
      <MenuSeparator />
      <MenuLink icon={Flag} render={<Link to={`/report?about=audio/${id}`} />}>
        {t`Report`}
      </MenuLink>
    </>
  );
}

export function FavoriteItem({ audio, source }: Pick<AudioMenuItemsProps, 'audio' | 'source'>) {
  const pressFavorite = useFavoritePress();
  const isOn = useFavoriteState({ contentTypeId: 'audio', id: audio.id }).startsWith('on');
  return (
    <MenuItem icon={Heart} onSelect={() => pressFavorite(audioFavorite(audio, source))}>
      {isOn ? t`Unfavorite` : t`Favorite`}
    </MenuItem>
  );
}
