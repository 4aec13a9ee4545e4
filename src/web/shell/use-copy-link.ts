import { useToast } from '../ui/toast.tsx';
import { useSignInPrompt } from './sign-in-prompt.tsx';

type SharedLink = {
  /** Of what is shared. */
  name: string;
  /** Whole, with the origin. */
  address: string;
  imageUrl?: string | null | undefined;
  /** When it is truly copied, and not only asked for. */
  onCopy?: () => void;
};

/** Sharing needs an account (spec §6): visitors are asked to sign in, and it is copied once they are. */
export function useCopyLink(): (link: SharedLink) => void {
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();

  async function copy(address: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      showToast({ text: 'Link copied' });
    } catch {
      showToast({ text: 'The link could not be copied' });
    }
  }

  return ({ name, address, imageUrl, onCopy }) =>
    askToSignIn({
      to: `share “${name}”`,
      imageUrl,
      act: () => {
        onCopy?.();
        void copy(address);
      },
    });
}
