import type { Track } from '#player/track.ts';
import { track as tell } from '#web/insight/track.ts';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { shareAddress } from './arrival.ts';
import { useListener } from './player-provider.tsx';
import { sourceOf } from './track-of.ts';

/** What leads away from the player, and needs an account (spec §6). */
export function usePlayerLinks() {
  const viewer = useListener();
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();

  /** @param seconds where the link starts */
  async function copy(track: Track, seconds: number): Promise<void> {
    if (viewer.kind === 'visitor') return askToSignIn({ to: `share ${track.title}` });
    tell('share_audio', { source: sourceOf(track), subjectId: track.id });
    try {
      await navigator.clipboard.writeText(shareAddress(track.slug, seconds, window.location.origin));
      showToast({ text: 'Link copied' });
    } catch {
      showToast({ text: 'The link could not be copied' });
    }
  }

  return { copy, goToQueue: () => askToSignIn({ to: 'see your Queue' }) };
}
