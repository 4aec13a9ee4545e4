import { t } from '@lingui/core/macro';
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import UserX from 'lucide-react/icons/user-x';
import { use } from 'react';
import type { Playable } from '#web/listening/track-of.ts';
import { MenuItem } from '#web/ui/layers/menu-items.tsx';
import { MenuRestContext } from '#web/ui/layers/menu-parts.ts';
import { useHide } from './use-hide.ts';

type HideItemsProps = {
  audio: Pick<Playable, 'id' | 'title' | 'imageUrl' | 'voice'>;
  /** The list of the menu is the listener’s own, or there is none. */
  staysInList?: boolean;
};

/** Menu items that hide an audio or its creator. */
export function HideItems({ audio, staysInList = false }: HideItemsProps) {
  const rest = use(MenuRestContext);
  const hide = useHide();
  const { id, title, imageUrl, voice } = audio;
  const { name } = voice;
  const options = { rest: staysInList ? undefined : rest, imageUrl };
  return (
    <>
      <MenuItem icon={ThumbsDown} onSelect={() => hide({ kind: 'audio', id, name: title }, options)}>
        {t`Not for me`}
      </MenuItem>
      <MenuItem icon={UserX} onSelect={() => hide({ kind: 'voice', id: voice.id, name }, options)}>
        {t`Hide ${name}`}
      </MenuItem>
    </>
  );
}
