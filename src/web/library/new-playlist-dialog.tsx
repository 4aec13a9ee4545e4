import { t } from '@lingui/core/macro';
import { href, useNavigate } from 'react-router';
import { answerOf, api } from '../api.ts';
import { Dialog } from '../ui/layers/dialog.tsx';
import { PlaylistForm } from './playlist-form.tsx';

type NewPlaylistDialogProps = { open: boolean; onClose: () => void };

export function NewPlaylistDialog({ open, onClose }: NewPlaylistDialogProps) {
  const navigate = useNavigate();
  return (
    <Dialog open={open} onClose={onClose} dismissedBy="button" title={t`New playlist`}>
      <PlaylistForm
        label={t`New playlist`}
        isPublic={false}
        submit={{ label: t`Create`, busy: t`Creating…` }}
        onCancel={onClose}
        onSubmit={async (form) => {
          const answer = await answerOf(api['users-playlists'].$post({ json: form }));
          if (!answer.ok) return answer.message;
          await navigate(href('/users-playlists/:id', { id: answer.data.id }));
          return undefined;
        }}
      />
    </Dialog>
  );
}
