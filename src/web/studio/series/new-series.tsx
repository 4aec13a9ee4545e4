import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { seriesLimits } from '#domain/catalogue/rules.ts';
import type { ManagedVoice } from '#domain/studio/voices.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { FormDialog } from '../../workshop/form-dialog.tsx';

/** Button that asks for a title, creates a series, and opens it. */
export function NewSeries({ voice }: { voice: Pick<ManagedVoice, 'id' | 'slug'> }) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [title, setTitle] = useState('');
  const [failure, setFailure] = useState<string>();

  async function create(): Promise<boolean> {
    setFailure(undefined);
    const answer = await answerOf(api.studio.voices[':id'].series.$post({ param: { id: voice.id }, json: { title } }));
    if (answer.ok) await navigate(href('/studio/:voice/series/:id', { voice: voice.slug, id: answer.data.id }));
    else setFailure(answer.message);
    return answer.ok;
  }

  return (
    <>
      <Button variant="primary" onClick={() => setIsOpen(true)}>
        <Icon of={Plus} size={18} />
        <Trans>New series</Trans>
      </Button>
      {isOpen && (
        <FormDialog
          title={t`New series`}
          verb={t`Create series`}
          busy={t`Creating…`}
          isReady={title.trim() !== ''}
          onSubmit={create}
          onClose={() => setIsOpen(false)}
        >
          {failure !== undefined && <Note tone="error">{failure}</Note>}
          <Field
            label={t`Title`}
            autoComplete="off"
            maxLength={seriesLimits.title}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
        </FormDialog>
      )}
    </>
  );
}
