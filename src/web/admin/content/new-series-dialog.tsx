import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { seriesLimits } from '#domain/catalogue/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { useCall } from '../use-call.ts';
import type { ChosenVoice } from '../voice-field.tsx';
import { VoiceField } from '../voice-field.tsx';

/** Creates a series for a creator and opens it in the Studio's editor. Open while rendered. */
export function NewSeriesDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { busy, call } = useCall();
  const [title, setTitle] = useState('');
  const [voice, setVoice] = useState<ChosenVoice>();
  const isReady = voice !== undefined && title.trim() !== '';

  async function create(): Promise<void> {
    if (!isReady) return;
    const json = { title };
    const made = await call('create', () =>
      answerOf(api.studio.voices[':id'].series.$post({ param: { id: voice.value }, json })),
    );
    if (made !== undefined) await navigate(href('/studio/:voice/series/:id', { voice: voice.slug, id: made.data.id }));
  }

  return (
    <DialogWindow open onClose={onClose} title="New series" dismissedBy="button">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <VoiceField voice={voice} onChoose={setVoice} />
        <Field
          label="Title"
          autoComplete="off"
          maxLength={seriesLimits.title}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={!isReady} busy={busy && 'Creating…'}>
            Create series
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </DialogWindow>
  );
}
