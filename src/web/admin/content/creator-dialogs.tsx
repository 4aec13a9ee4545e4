import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { seriesLimits } from '#domain/catalogue/rules.ts';
import { api } from '../../api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { FormDialog } from '../../workshop/form-dialog.tsx';
import { useCall } from '../use-call.ts';
import { type Found, VoiceField } from '../found-fields.tsx';

/** Creates a series for a creator and opens it in the Studio's editor. Open while rendered. */
export function NewSeriesDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { call } = useCall();
  const [title, setTitle] = useState('');
  const [voice, setVoice] = useState<Found>();

  async function create(): Promise<unknown> {
    if (voice === undefined) return undefined;
    const { value: id, slug } = voice;
    const created = await call('create', () =>
      api.studio.voices[':id'].series.$post({ param: { id }, json: { title } }),
    );
    if (created !== undefined) await navigate(href('/studio/:voice/series/:id', { voice: slug, id: created.data.id }));
    return created;
  }

  return (
    <FormDialog
      title={t`New series`}
      verb={t`Create series`}
      busy={t`Creating…`}
      isReady={voice !== undefined && title.trim() !== ''}
      onSubmit={create}
      onClose={onClose}
    >
      <VoiceField found={voice} onChoose={setVoice} />
      <Field
        label={t`Title`}
        autoComplete="off"
        maxLength={seriesLimits.title}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
    </FormDialog>
  );
}

/** Asks for the creator of the recordings and opens their upload page. Open while rendered. */
export function UploadForDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [voice, setVoice] = useState<Found>();
  return (
    <FormDialog
      title={t`Upload for a creator`}
      verb={t`Choose files`}
      isReady={voice !== undefined}
      onSubmit={async () => voice && navigate(href('/studio/:voice/upload', { voice: voice.slug }))}
      onClose={onClose}
    >
      <VoiceField found={voice} onChoose={setVoice} />
    </FormDialog>
  );
}
