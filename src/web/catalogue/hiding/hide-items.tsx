import { t } from '@lingui/core/macro';
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import UserX from 'lucide-react/icons/user-x';
import { use, useEffect } from 'react';
import type { HiddenSubject } from '#domain/library/hidden.ts';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import type { Playable } from '#web/listening/track-of.ts';
import { MenuItem } from '#web/ui/layers/menu-items.tsx';
import { MenuRestContext } from '#web/ui/layers/menu-parts.ts';
import { useToast } from '#web/ui/layers/toast.tsx';

type HideItemsProps = {
  audio: Pick<Playable, 'id' | 'title' | 'imageUrl' | 'voice'>;
  /** The list of the menu is the listener’s own, or there is none. */
  staysInList?: boolean;
};

/** Apart from the items: what they import is named in each page’s first load. */
const loadHide = () => import('./hide.tsx');

/** Menu items that hide an audio or its creator. Visitors get a sign-in prompt. */
export function HideItems({ audio, staysInList = false }: HideItemsProps) {
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();
  const rest = use(MenuRestContext);
  const { id, title, imageUrl, voice } = audio;
  const { name } = voice;
  useEffect(() => void loadHide().catch(() => undefined), []);

  function hide(subject: HiddenSubject): void {
    askToSignIn({
      title: t`Sign in to hide “${{ name: subject.name }}”`,
      imageUrl,
      act() {
        const given = { rest: staysInList ? undefined : rest, showToast };
        loadHide().then(
          (part) => part.hide(subject, given),
          () => showToast({ text: t`This could not be loaded. Please try again.` }),
        );
      },
    });
  }
  return (
    <>
      <MenuItem icon={ThumbsDown} onSelect={() => hide({ kind: 'audio', id, name: title })}>
        {t`Not for me`}
      </MenuItem>
      <MenuItem icon={UserX} onSelect={() => hide({ kind: 'voice', id: voice.id, name })}>
        {t`Hide ${name}`}
      </MenuItem>
    </>
  );
}
