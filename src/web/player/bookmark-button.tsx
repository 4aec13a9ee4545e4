import { t } from '@lingui/core/macro';
import Bookmark from 'lucide-react/icons/bookmark';
import { useState } from 'react';
import type { Track } from '#player/track.ts';
import { formatTime } from '#formats/durations.ts';
import { type MomentDraft, keepMoment } from '#web/catalogue/moments/keep-moment.ts';
import { randomUuid } from '#web/ui/random-uuid.ts';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useLateLayer } from '#web/ui/layers/use-late-layer.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { useListener, usePlayerCommands } from '../listening/player-provider.tsx';

const loadDialog = () => import('#web/catalogue/moments/moment-dialog.tsx');

/** Bookmarks the place in the current audio, with a note. */
export function BookmarkButton({ current }: { current: Track }) {
  const { pause, getPosition, getDuration } = usePlayerCommands();
  const askToSignIn = useSignInPrompt();
  const keep = useKeepMoment();
  const [seconds, setSeconds] = useState<number>();
  const close = () => setSeconds(undefined);
  const dialog = useLateLayer(loadDialog, seconds !== undefined, close);
  const open = () =>
    askToSignIn({
      title: t`Log in to keep bookmarks`,
      imageUrl: current.imageUrl,
      act() {
        pause();
        setSeconds(getPosition());
      },
    });
  return (
    <>
      <IconButton label={t`Bookmark`} title={t`Bookmark`} icon={Bookmark} onClick={open} />
      {dialog && seconds !== undefined && (
        <dialog.MomentDialog
          seconds={seconds}
          duration={getDuration()}
          note=""
          onSave={(place, note) => keep(current.id, place, note)}
          onClose={close}
        />
      )}
    </>
  );
}

/** @returns keeps a bookmark, says so with Undo, and returns the error message or undefined */
export function useKeepMoment(): (audioId: string, seconds: number, note: string) => Promise<string | undefined> {
  const viewer = useListener();
  const showToast = useToast();
  return async (audioId, seconds, note) => {
    if (viewer.kind !== 'user') return undefined;
    const id = randomUuid();
    const draft: MomentDraft = { audioId, position: Math.round(seconds * 1000), note };
    const kept = await keepMoment(viewer.id, id, draft);
    if (!kept.ok) return kept.message;
    const time = formatTime(seconds);
    showToast({
      text: kept.isWaiting ? t`Bookmarked at ${time}. It is saved when you are online.` : t`Bookmarked at ${time}`,
      action: { label: t`Undo`, onPress: () => void keepMoment(viewer.id, id) },
    });
    return undefined;
  };
}
