import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { seriesLimits } from '#domain/catalogue/rules.ts';
import type { ManagedVoice } from '#domain/studio/voices.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';

/** Button that asks for a title, creates a series, and opens it. */
export function NewSeries({ voice }: { voice: Pick<ManagedVoice, 'id' | 'slug'> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setIsOpen(true)}>
        <Icon of={Plus} size={18} />
        New series
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} dismissedBy="button" title="New series">
        <NewSeriesForm voice={voice} />
      </Dialog>
    </>
  );
}

function NewSeriesForm({ voice }: { voice: Pick<ManagedVoice, 'id' | 'slug'> }) {
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function create(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const answer = await answerOf(api.studio.voices[':id'].series.$post({ param: { id: voice.id }, json: { title } }));
    if (answer.ok) return void navigate(href('/studio/:voice/series/:id', { voice: voice.slug, id: answer.data.id }));
    setIsBusy(false);
    setFailure(answer.message);
  }

  return (
    <form
      className="form"
      aria-label="New series"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && title.trim() !== '') void create();
      }}
    >
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <Field
        label="Title"
        autoComplete="off"
        maxLength={seriesLimits.title}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Button type="submit" variant="primary" disabled={title.trim() === ''} busy={isBusy ? 'Creating…' : undefined}>
        Create series
      </Button>
    </form>
  );
}
