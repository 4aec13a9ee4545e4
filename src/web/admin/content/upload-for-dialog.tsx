import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import type { ChosenVoice } from '../voice-field.tsx';
import { VoiceField } from '../voice-field.tsx';

/** Asks for the creator of the recordings and opens their upload page. Open while rendered. */
export function UploadForDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [voice, setVoice] = useState<ChosenVoice>();
  return (
    <DialogWindow open onClose={onClose} title="Upload for a creator">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (voice !== undefined) void navigate(href('/studio/:voice/upload', { voice: voice.slug }));
        }}
      >
        <VoiceField voice={voice} onChoose={setVoice} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={voice === undefined}>
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
