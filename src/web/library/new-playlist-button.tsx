import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { answerOf, api } from '../api.ts';
import { useSignInPrompt } from '../identity/sign-in-prompt.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

const loadForm = () => import('./playlist-form.tsx');

/** Creates an empty playlist and opens it. */
export function NewPlaylistButton({ variant }: { variant: 'primary' | 'outline' }) {
  const navigate = useNavigate();
  const askToSignIn = useSignInPrompt();
  const showToast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const form = useLoaded(loadForm, isOpen, () => {
    setIsOpen(false);
    showToast({ text: 'No internet connection' });
  });

  return (
    <>
      <Button
        variant={variant}
        size={variant === 'primary' ? 'md' : 'sm'}
        onClick={() => askToSignIn({ to: 'make a playlist', act: () => setIsOpen(true) })}
      >
        <Icon of={Plus} size={18} />
        New playlist
      </Button>
      <Dialog
        open={isOpen && form !== undefined}
        onClose={() => setIsOpen(false)}
        dismissedBy="button"
        title="New playlist"
      >
        {form && (
          <form.PlaylistForm
            label="New playlist"
            isPublic={false}
            submit={{ label: 'Create', busy: 'Creating…' }}
            onCancel={() => setIsOpen(false)}
            onSubmit={async (made) => {
              const answer = await answerOf(api['users-playlists'].$post({ json: made }));
              if (!answer.ok) return answer.message;
              await navigate(href('/users-playlists/:id', { id: answer.data.id }));
              return undefined;
            }}
          />
        )}
      </Dialog>
    </>
  );
}
