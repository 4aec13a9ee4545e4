import { sharedAddress } from '../insight/shared-link.ts';
import { useToast } from '../ui/toast.tsx';
import type { Notice } from '../ui/toast.tsx';
import { useSignInPrompt } from './sign-in-prompt.tsx';

export type SharedLink = {
  /** Of what is shared. */
  name: string;
  /** Whole, with the origin. */
  address: string;
  imageUrl?: string | null | undefined;
  /** When it is truly copied, and not only asked for. */
  onCopy?: (() => void) | undefined;
  /** Said once it is copied; `Link copied` when left out. */
  notice?: Notice;
};

/** Sharing needs an account (spec §6): visitors are asked to sign in, and it is copied once they are. */
export function useCopyLink(): (link: SharedLink) => void {
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();

  async function copy({ address, onCopy, notice = { text: 'Link copied' } }: SharedLink): Promise<void> {
    try {
      await navigator.clipboard.writeText(sharedAddress(address));
      onCopy?.();
      showToast(notice);
    } catch {
      showToast({ text: 'The link could not be copied' });
    }
  }

  return (link) => askToSignIn({ to: `share “${link.name}”`, imageUrl: link.imageUrl, act: () => void copy(link) });
}
