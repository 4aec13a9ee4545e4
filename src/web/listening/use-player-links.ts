import type { Track } from '#player/track.ts';
import { track as tell } from '#web/insight/track.ts';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useCopyLink } from '#web/shell/use-copy-link.ts';
import { shareAddress } from './arrival.ts';
import { sourceOf } from './track-of.ts';

/** What leads away from the player, and needs an account (spec §6). */
export function usePlayerLinks() {
  const askToSignIn = useSignInPrompt();
  const copyLink = useCopyLink();

  /** @param seconds where the link starts */
  function copy(track: Track, seconds: number): void {
    copyLink({
      name: track.title,
      address: shareAddress(track.slug, seconds, window.location.origin),
      imageUrl: track.imageUrl,
      onCopy: () => tell('share_audio', { source: sourceOf(track), subjectId: track.id }),
    });
  }

  return { copy, goToQueue: () => askToSignIn({ to: 'see your Queue' }) };
}
