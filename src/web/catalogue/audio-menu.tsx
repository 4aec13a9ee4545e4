import Ellipsis from 'lucide-react/icons/ellipsis';
import LinkIcon from 'lucide-react/icons/link';
import ListPlus from 'lucide-react/icons/list-plus';
import MicVocal from 'lucide-react/icons/mic-vocal';
import Plus from 'lucide-react/icons/plus';
import { href, Link, useLocation } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import { shareAddress } from '#web/listening/arrival.ts';
import { usePlayback } from '#web/listening/player-provider.tsx';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useCopyLink } from '#web/shell/use-copy-link.ts';
import { Cover } from '#web/ui/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/menu.tsx';

/** What else can be done with an audio. Queue, playlists and sharing need an account (spec §6). */
export function AudioMenu({ audio, place }: { audio: Audio; place: 'row' | 'head' }) {
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
      <AudioMenuItems audio={audio} />
    </Menu>
  );
}

function AudioMenuItems({ audio }: { audio: Audio }) {
  const askToSignIn = useSignInPrompt();
  const copyLink = useCopyLink();
  const { isCurrent, status } = usePlayback(audio.id);
  const isPlaying = isCurrent && status === 'playing';
  return (
    <>
      {/* Not for what is playing: it is the head of the queue already (spec §4, "Queue"). */}
      {!isPlaying && (
        <MenuItem icon={ListPlus} onSelect={() => askToSignIn({ to: 'use your Queue' })}>
          Add to queue
        </MenuItem>
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
