import { useSyncExternalStore } from 'react';
import { sharedAddress } from './shared-link.ts';
import { useSignInPrompt } from '../identity/sign-in-prompt.tsx';
import type { SharedLink } from './use-copy-link.ts';
import { useCopyLink } from './use-copy-link.ts';

/** Whether the browser has a share sheet; false on the server and during hydration. */
export function useHasShareSheet(): boolean {
  return useSyncExternalStore(
    () => () => {},
    hasShareSheet,
    () => false,
  );
}

/** Shares by the browser’s share sheet, or copies the link without one. Needs an account, like copying (spec §6). */
export function useShareLink(): (link: SharedLink) => void {
  const askToSignIn = useSignInPrompt();
  const copyLink = useCopyLink();

  async function share({ onCopy, ...link }: SharedLink): Promise<void> {
    try {
      await navigator.share({ title: link.name, url: sharedAddress(link.address) });
      onCopy?.();
    } catch (error) {
      // Closing the sheet is a choice (AbortError); on any other error, copy instead.
      if (!(error instanceof DOMException && error.name === 'AbortError')) copyLink({ ...link, onCopy });
    }
  }

  return (link) => {
    if (!hasShareSheet()) return copyLink(link);
    askToSignIn({ to: `share “${link.name}”`, imageUrl: link.imageUrl, act: () => void share(link) });
  };
}

function hasShareSheet(): boolean {
  return typeof navigator.share === 'function';
}
