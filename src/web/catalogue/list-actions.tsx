import { plural, t } from '@lingui/core/macro';
import LinkIcon from 'lucide-react/icons/link';
import ListPlus from 'lucide-react/icons/list-plus';
import ListX from 'lucide-react/icons/list-x';
import Share2 from 'lucide-react/icons/share-2';
import { Link, useLocation } from 'react-router';
import type { FeedKind } from '#domain/feeds/rules.ts';
import { usePlayerCommands } from '#web/listening/player-provider.tsx';
import type { Playable } from '#web/listening/track-of.ts';
import { useQueuePlace } from '#web/listening/use-queue-place.ts';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { useHasShareSheet, useShareLink } from '#web/analytics/use-share-link.ts';
import { useIsOn } from '#web/root-data.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { loadDownloadAll } from './audio-menu.tsx';
import type { RestOfList } from '#web/listening/load-list.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { useLoaded } from '#web/ui/use-loaded.ts';

const loadRest = async (rest: RestOfList) => (await import('#web/listening/load-list.ts')).loadAll(rest);

/** Adds an audio to the queue or removes it; renders nothing for the current audio (spec §4, “Row actions”). */
export function QueueButton({ audio }: { audio: Playable }) {
  const { place, add, remove } = useQueuePlace(audio);
  if (place === 'current') return null;
  return place === 'out' ? (
    <IconButton icon={ListPlus} label={t`Add to queue`} onClick={add} />
  ) : (
    <IconButton icon={ListX} label={t`Remove from queue`} onClick={remove} />
  );
}

type QueueAllButtonProps = {
  audios: Playable[];
  rest?: RestOfList;
  name: string;
};

/** Adds all items of a list after those already added by hand. */
export function QueueAllButton({ audios, rest, name }: QueueAllButtonProps) {
  const { addToQueue } = usePlayerCommands();
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();

  async function add(): Promise<void> {
    const others = rest?.cursor ? await loadRest(rest).catch(() => undefined) : [];
    if (others === undefined) return showToast({ text: t`The list could not be loaded. Please try again.` });
    const added = addToQueue([...audios, ...others]);
    showToast({
      kind: 'queue',
      text:
        added === 0
          ? t`Everything is already in your queue`
          : t`Added ${plural(added, { one: '# audio', other: '# audios' })} to your queue`,
    });
  }
  return (
    <IconButton
      icon={ListPlus}
      label={t`Add all to queue`}
      onClick={() => askToSignIn({ title: t`Sign in to add “${name}” to your Queue`, act: () => void add() })}
    />
  );
}

/** Downloads the whole list; its code loads after the page. @param props.list API path of the list */
export function DownloadAllButton(props: { name: string; list: string }) {
  const part = useLoaded(loadDownloadAll, true);
  return part ? <part.DownloadAllButton {...props} /> : <span className="icon-button" />;
}

type ShareButtonProps = {
  name: string;
  imageUrl?: string | null;
  onShare?: () => void;
};

export function ShareButton({ name, imageUrl, onShare }: ShareButtonProps) {
  const shareLink = useShareLink();
  const hasSheet = useHasShareSheet();
  const { pathname } = useLocation();
  return (
    <IconButton
      icon={hasSheet ? Share2 : LinkIcon}
      label={hasSheet ? t`Share` : t`Copy link`}
      onClick={() => shareLink({ name, imageUrl, address: window.location.origin + pathname, onCopy: onShare })}
    />
  );
}

/** @param props.about such as `voice/019a…` */
export function ReportLink({ about }: { about: string }) {
  return (
    <Link className="link" to={`/report?about=${about}`}>
      {t`Report`}
    </Link>
  );
}

/** Link to the page that creates a feed. @param props.subject id or slug */
export function PodcastLink({ kind, subject }: { kind: FeedKind; subject: string }) {
  if (!useIsOn('privateFeeds')) return null;
  return (
    <p className="mt-3">
      <Link className="link" to={`/account/feeds?kind=${kind}&subject=${subject}`}>
        {t`Listen in your podcast app`}
      </Link>
    </p>
  );
}
