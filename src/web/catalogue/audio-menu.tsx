import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Ellipsis from 'lucide-react/icons/ellipsis';
import LinkIcon from 'lucide-react/icons/link';
import ListPlus from 'lucide-react/icons/list-plus';
import ListX from 'lucide-react/icons/list-x';
import MicVocal from 'lucide-react/icons/mic-vocal';
import Plus from 'lucide-react/icons/plus';
import { href, Link, useLocation } from 'react-router';
import { shareAddress } from '#web/listening/arrival.ts';
import type { Playable } from '#web/listening/track-of.ts';
import { useQueuePlace } from '#web/listening/use-queue-place.ts';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useCopyLink } from '#web/shell/use-copy-link.ts';
import { Cover } from '#web/ui/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/menu.tsx';

type AudioMenuProps = {
  audio: Playable;
  place: 'row' | 'head';
  /** In the queue: moves it by one place, for those who do not drag. */
  onMove?: (by: 1 | -1) => void;
};

/** What else can be done with an audio. Queue, playlists and sharing need an account (spec §6). */
export function AudioMenu({ audio, place, onMove }: AudioMenuProps) {
  const { key } = useLocation();
  const label = place === 'row' ? `More for ${audio.title}` : 'More';
  return (
    <Menu
      closeKey={key}
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
      <AudioMenuItems audio={audio} onMove={onMove} />
    </Menu>
  );
}

function AudioMenuItems({ audio, onMove }: Pick<AudioMenuProps, 'audio' | 'onMove'>) {
  const askToSignIn = useSignInPrompt();
  const copyLink = useCopyLink();
  const { place, add, remove } = useQueuePlace(audio);
  return (
    <>
      {/* Neither for what is playing: it is the head of the queue (spec §4, "Queue"). */}
      {place === 'out' && (
        <MenuItem icon={ListPlus} onSelect={add}>
          Add to queue
        </MenuItem>
      )}
      {place === 'up-next' && (
        <MenuItem icon={ListX} onSelect={remove}>
          Remove from queue
        </MenuItem>
      )}
      {onMove && (
        <>
          <MenuItem icon={ArrowUp} onSelect={() => onMove(-1)}>
            Move up
          </MenuItem>
          <MenuItem icon={ArrowDown} onSelect={() => onMove(1)}>
            Move down
          </MenuItem>
        </>
      )}
      <MenuItem
        icon={Plus}
        onSelect={() => askToSignIn({ to: `add “${audio.title}” to a playlist`, imageUrl: audio.imageUrl })}
      >
        Add to playlist
      </MenuItem>
      <MenuItem
        icon={LinkIcon}
        onSelect={() =>
          copyLink({
            name: audio.title,
            address: shareAddress(audio.slug, 0, window.location.origin),
            imageUrl: audio.imageUrl,
          })
        }
      >
        Copy link
      </MenuItem>
      <MenuSeparator />
      <MenuLink icon={MicVocal} render={<Link to={href('/creators/:slug', { slug: audio.voice.slug })} />}>
        Go to {audio.voice.name}
      </MenuLink>
    </>
  );
}
