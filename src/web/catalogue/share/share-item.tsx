import { t } from '@lingui/core/macro';
import CodeXml from 'lucide-react/icons/code-xml';
import { use } from 'react';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import type { Playable } from '#web/listening/track-of.ts';
import { useIsOn } from '#web/root-data.ts';
import { MenuItem } from '#web/ui/layers/menu-items.tsx';
import { MenuRestContext } from '#web/ui/layers/menu-parts.ts';
import { useLateLayer } from '#web/ui/layers/use-late-layer.ts';

const loadDialog = () => import('./share-dialog.tsx');

/** Opens the window with everything by which an audio that everyone may hear is shown elsewhere. */
export function ShareItem({ audio }: { audio: Playable }) {
  const rest = use(MenuRestContext);
  const askToSignIn = useSignInPrompt();
  const [hasClips, hasFrames] = [useIsOn('clips'), useIsOn('embeds')];
  const { title: name, imageUrl } = audio;
  if (!audio.isFree || !(hasClips || hasFrames) || rest === undefined) return null;
  const close = () => rest.show(undefined);
  return (
    <MenuItem
      icon={CodeXml}
      onSelect={() =>
        askToSignIn({
          title: t`Sign in to share “${name}”`,
          imageUrl,
          act: () => rest.show(<LateDialog audio={audio} onClose={close} />),
        })
      }
    >
      {t`Clip and embed`}
    </MenuItem>
  );
}

function LateDialog({ audio, onClose }: { audio: Playable; onClose: () => void }) {
  const part = useLateLayer(loadDialog, true, onClose);
  return part && <part.ShareDialog audio={audio} onClose={onClose} />;
}
