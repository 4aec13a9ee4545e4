import { t } from '@lingui/core/macro';
import { useSignInPrompt } from '../identity/prompts.tsx';
import type { Notice } from '../ui/layers/notice.ts';
import { useToast } from '../ui/layers/toast.tsx';
import { useClientValue } from '../ui/use-client-value.ts';
import { sharedAddress } from './shared-link.ts';

type SharedLink = {
  name: string;
  address: string;
  imageUrl?: string | null | undefined;
  onCopy?: (() => void) | undefined;
  /** Shown after copying; defaults to `Link copied`. */
  notice?: Notice;
};

/**
 * Copies a link. Needs an account (spec §6): visitors get the sign-in prompt, and the link is copied after they log in.
 */
export function useCopyLink(): (link: SharedLink) => void {
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();

  async function copy({ address, onCopy, notice = { text: t`Link copied` } }: SharedLink): Promise<void> {
    try {
      await navigator.clipboard.writeText(sharedAddress(address));
      onCopy?.();
      showToast({ kind: 'copy', ...notice });
    } catch {
      showToast({ text: t`The link could not be copied`, kind: 'copy' });
    }
  }

  return (link) => {
    const { name, imageUrl } = link;
    askToSignIn({ title: t`Sign in to share “${name}”`, imageUrl, act: () => void copy(link) });
  };
}

/** Whether the browser has a share sheet; false on the server and during hydration. */
export function useHasShareSheet(): boolean {
  return useClientValue(hasShareSheet, false);
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
    const { name, imageUrl } = link;
    askToSignIn({ title: t`Sign in to share “${name}”`, imageUrl, act: () => void share(link) });
  };
}

function hasShareSheet(): boolean {
  return typeof navigator.share === 'function';
}
