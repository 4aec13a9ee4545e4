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

  async function copy(address: string, notice: Notice): Promise<void> {
    try {
      await navigator.clipboard.writeText(sharedAddress(address));
      showToast(notice);
    } catch {
      showToast({ text: 'The link could not be copied' });
    }
  }

  return ({ name, address, imageUrl, onCopy, notice = { text: 'Link copied' } }) =>
    askToSignIn({
      to: `share “${name}”`,
      imageUrl,
      act: () => {
        onCopy?.();
        void copy(address, notice);
      },
    });
}
