import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { isOnlyPreview } from './playback.ts';
import { useListener, usePlayerCommands, usePlayerState } from './player-provider.tsx';
import type { Playable } from './track-of.ts';

/** Where an audio stands: what plays is neither added nor removed (spec §4, "Queue"). */
type QueuePlace = 'out' | 'up-next' | 'current';

/** Puts an audio into the queue and takes it out. Visitors are asked to sign in, by the audio's name (spec §6). */
export function useQueuePlace(audio: Playable): { place: QueuePlace; add: () => void; remove: () => void } {
  const { addToQueue, removeFromQueue } = usePlayerCommands();
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();
  // What a visitor plays on through is no queue of theirs.
  const isUser = useListener().kind === 'user';
  const place = usePlayerState((snapshot): QueuePlace => {
    if (isOnlyPreview(snapshot) || !snapshot.queuedIds.has(audio.id)) return 'out';
    if (snapshot.current?.id === audio.id) return 'current';
    return isUser ? 'up-next' : 'out';
  });

  return {
    place,
    add: () =>
      askToSignIn({
        to: `add “${audio.title}” to your Queue`,
        imageUrl: audio.imageUrl,
        act() {
          if (addToQueue([audio]) > 0) showToast({ text: 'Added to your queue' });
        },
      }),
    remove() {
      removeFromQueue(audio.id);
      showToast({ text: 'Removed from your queue' });
    },
  };
}
