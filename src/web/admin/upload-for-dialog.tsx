import { useId, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { DialogWindow } from '#web/ui/dialog-window.tsx';

type UploadForDialogProps = { voices: { slug: string; name: string }[]; onClose: () => void };

/** Asks whose recordings they are and leads to the upload page of that creator. Open while it is there. */
export function UploadForDialog({ voices, onClose }: UploadForDialogProps) {
  const id = useId();
  const navigate = useNavigate();
  const [voice, setVoice] = useState('');
  return (
    <DialogWindow open onClose={onClose} title="Upload for a creator">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (voice !== '') void navigate(href('/studio/:voice/upload', { voice }));
        }}
      >
        <div className="fld">
          <label htmlFor={id}>Creator</label>
          <select id={id} className="in" value={voice} onChange={({ target }) => setVoice(target.value)}>
            <option value="">Choose a creator</option>
            {voices.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={voice === ''}>
            Choose files
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </DialogWindow>
  );
}
