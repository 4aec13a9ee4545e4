import { sharedAddress } from './shared-link.ts';
import { useToast } from '../ui/layers/toast.tsx';
import type { Notice } from '../ui/layers/notice.ts';
import { useSignInPrompt } from '../identity/sign-in-prompt.tsx';

export type SharedLink = {
  /** Name of the shared item. */
  name: string;
  /** Absolute address. */
  address: string;
  imageUrl?: string | null | undefined;
  /** Called after the copy has succeeded. */
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

  async function copy({ address, onCopy, notice = { text: 'Link copied' } }: SharedLink): Promise<void> {
    try {
      await navigator.clipboard.writeText(sharedAddress(address));
      onCopy?.();
      showToast({ kind: 'copy', ...notice });
    } catch {
      showToast({ text: 'The link could not be copied', kind: 'copy' });
    }
  }

  return (link) => askToSignIn({ to: `share “${link.name}”`, imageUrl: link.imageUrl, act: () => void copy(link) });
}
