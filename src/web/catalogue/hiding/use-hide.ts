import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import type { HiddenSubject } from '#domain/library/hidden.ts';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import type { MenuRest } from '#web/ui/layers/menu-parts.ts';
import { useToast } from '#web/ui/layers/toast.tsx';

/** Apart from what is pressed: what they import is named in each page’s first load. */
const loadHide = () => import('./hide.tsx');

type HideOptions = {
  /** The menu's in which it is pressed; undefined: what is hidden stays in its list. */
  rest: MenuRest | undefined;
  /** For the sign-in prompt. */
  imageUrl: string | null;
  /** When its place says so. */
  onHide?: () => void;
};

/** @returns a function that hides an audio or its creator; visitors get a sign-in prompt */
export function useHide(): (subject: HiddenSubject, options: HideOptions) => void {
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();
  useEffect(() => void loadHide().catch(() => undefined), []);
  return (subject, { rest, imageUrl, onHide }) =>
    askToSignIn({
      title: t`Sign in to hide “${{ name: subject.name }}”`,
      imageUrl,
      act() {
        loadHide().then(
          (part) => {
            part.hide(subject, { rest, showToast });
            onHide?.();
          },
          () => showToast({ text: t`This could not be loaded. Please try again.` }),
        );
      },
    });
}
