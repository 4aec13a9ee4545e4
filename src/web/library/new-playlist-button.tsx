import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useSignInPrompt } from '../identity/prompts.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';

const loadDialog = () => import('./new-playlist-dialog.tsx');

export function NewPlaylistButton({ variant }: { variant: 'primary' | 'outline' }) {
  const askToSignIn = useSignInPrompt();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const dialog = useLateLayer(loadDialog, isOpen, close);

  return (
    <>
      <Button
        variant={variant}
        size={variant === 'primary' ? 'md' : 'sm'}
        onClick={() => askToSignIn({ title: t`Sign in to make a playlist`, act: () => setIsOpen(true) })}
      >
        <Icon of={Plus} size={18} />
        <Trans>New playlist</Trans>
      </Button>
      {dialog && <dialog.NewPlaylistDialog open={isOpen} onClose={close} />}
    </>
  );
}
