import { plural, t } from '@lingui/core/macro';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { isOnlyPreview } from './playback.ts';
import { useListener, usePlayerCommands, usePlayerState } from './player-provider.tsx';
import type { Playable } from './track-of.ts';

/** Place of an audio in the queue; the current one is neither added nor removed (spec §4, “Queue”). */
type QueuePlace = 'out' | 'up-next' | 'current';

/** Adds an audio to the queue and removes it. Visitors get a sign-in prompt with the audio’s name (spec §6). */
export function useQueuePlace(audio: Playable): { place: QueuePlace; add: () => void; remove: () => void } {
  const { addToQueue, removeFromQueue } = usePlayerCommands();
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();
  // A visitor’s player has an internal list, but no queue that the interface shows.
  const isUser = useListener().kind === 'user';
  const place = usePlayerState((snapshot): QueuePlace => {
    if (isOnlyPreview(snapshot) || !snapshot.queuedIds.has(audio.id)) return 'out';
    if (snapshot.current?.id === audio.id) return 'current';
    return isUser ? 'up-next' : 'out';
  });

  return {
    place,
    add() {
      const { title: name, imageUrl } = audio;
      askToSignIn({
        title: t`Sign in to add “${name}” to your Queue`,
        imageUrl,
        act() {
          if (addToQueue([audio]) > 0) showToast({ text: t`Added to your queue`, kind: 'queue' });
        },
      });
    },
    remove() {
      const undo = removeFromQueue(audio.id);
      showToast({
        text: t`Removed from your queue`,
        kind: 'queue removals',
        several: (count) => t`Removed ${plural(count, { one: '# audio', other: '# audios' })} from your queue`,
        action: { label: t`Undo`, onPress: undo },
      });
    },
  };
}
