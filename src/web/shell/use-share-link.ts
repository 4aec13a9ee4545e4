import { useSyncExternalStore } from 'react';
import { sharedAddress } from '../insight/shared-link.ts';
import { useSignInPrompt } from './sign-in-prompt.tsx';
import type { SharedLink } from './use-copy-link.ts';
import { useCopyLink } from './use-copy-link.ts';

/** Whether the browser has a window of its own for sharing; false on the server and while the page comes to life. */
export function useHasShareSheet(): boolean {
  return useSyncExternalStore(
    () => () => {},
    hasShareSheet,
    () => false,
  );
}

/** By the browser's own window where there is one, else by copying. Needs an account, as copying does (spec §6). */
export function useShareLink(): (link: SharedLink) => void {
  const askToSignIn = useSignInPrompt();
  const copyLink = useCopyLink();

  async function share({ onCopy, ...link }: SharedLink): Promise<void> {
    try {
      await navigator.share({ title: link.name, url: sharedAddress(link.address) });
      onCopy?.();
    } catch (error) {
      // Closed without sharing is a choice; what the window may not do, copying may.
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
