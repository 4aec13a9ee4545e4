import LinkIcon from 'lucide-react/icons/link';
import ListPlus from 'lucide-react/icons/list-plus';
import ListX from 'lucide-react/icons/list-x';
import Share2 from 'lucide-react/icons/share-2';
import { useLocation } from 'react-router';
import { usePlayerCommands } from '#web/listening/player-provider.tsx';
import type { Playable } from '#web/listening/track-of.ts';
import { useQueuePlace } from '#web/listening/use-queue-place.ts';
import { formatCountOf } from '#web/format.ts';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useHasShareSheet, useShareLink } from '#web/shell/use-share-link.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Adds an audio, or removes it when it is in the queue; nothing for what plays (spec §4, "Row actions"). */
export function QueueButton({ audio }: { audio: Playable }) {
  const { place, add, remove } = useQueuePlace(audio);
  if (place === 'current') return null;
  return place === 'out' ? (
    <IconButton icon={ListPlus} label="Add to queue" onClick={add} />
  ) : (
    <IconButton icon={ListX} label="Remove from queue" onClick={remove} />
  );
}

/** All of a list, as far as it is shown, behind what was added by hand before. @param props.name what the list is called */
export function QueueAllButton({ audios, name }: { audios: Playable[]; name: string }) {
  const { addToQueue } = usePlayerCommands();
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();

  function add(): void {
    const added = addToQueue(audios);
    showToast({
      text: added === 0 ? 'All of it is in your queue' : `Added ${formatCountOf(added, 'audio')} to your queue`,
    });
  }
  return (
    <IconButton
      icon={ListPlus}
      label="Add all to queue"
      onClick={() => askToSignIn({ to: `add “${name}” to your Queue`, act: add })}
    />
  );
}

type ShareButtonProps = {
  /** Of what the page shows. */
  name: string;
  imageUrl?: string | null;
  onShare?: () => void;
};

/** Shares the page it stands on. */
export function ShareButton({ name, imageUrl, onShare }: ShareButtonProps) {
  const shareLink = useShareLink();
  const hasSheet = useHasShareSheet();
  const { pathname } = useLocation();
  return (
    <IconButton
      icon={hasSheet ? Share2 : LinkIcon}
      label={hasSheet ? 'Share' : 'Copy link'}
      onClick={() => shareLink({ name, imageUrl, address: window.location.origin + pathname, onCopy: onShare })}
    />
  );
}
