import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { DialogWindow } from '#web/ui/dialog-window.tsx';
import { ChoiceField } from '../workshop/choice-field.tsx';

type UploadForDialogProps = { voices: { slug: string; name: string }[]; onClose: () => void };

/** Asks for the creator of the recordings and opens their upload page. Open while rendered. */
export function UploadForDialog({ voices, onClose }: UploadForDialogProps) {
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
        <ChoiceField
          label="Creator"
          value={voice}
          options={voices.map(({ slug, name }) => ({ value: slug, label: name }))}
          onChoose={setVoice}
        />
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
