import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { type CommentHold, commentHolds } from '#domain/catalogue/rules.ts';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { BreakField } from './break-field.tsx';
import { holdWords } from './hold-words.ts';

type Settings = { hold: CommentHold | null; pausedUntil: string | null };

type AudioCommentSettingsProps = {
  audioId: string;
  settings: Settings;
  /** The server’s time. */
  now: number;
};

/** Choices for the comments of one audio. Saved at once, also for a published audio. */
export function AudioCommentSettings({ audioId, settings, now }: AudioCommentSettingsProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [wanted, setWanted] = useState<Partial<Settings>>({});
  const { hold, pausedUntil } = { ...settings, ...wanted };

  async function save(change: Partial<Settings>, saved: string): Promise<void> {
    setWanted(change);
    const answer = await answerOf(
      api.studio.audios[':id']['comment-settings'].$patch({ param: { id: audioId }, json: change }),
    );
    await revalidate();
    setWanted({});
    showToast({ text: answer.ok ? saved : answer.message });
  }

  return (
    <div className="mt-4 grid gap-4 border-t border-line pt-4">
      <ChoiceField
        label={t`Held until you read them`}
        value={hold ?? ''}
        none={t`As under your other audios`}
        options={commentHolds.map((value) => ({ value, label: holdWords[value]().label }))}
        onChoose={(value) =>
          void save({ hold: value === '' ? null : (value as CommentHold) }, t`Saved for new comments on this audio`)
        }
      />
      <BreakField
        pausedUntil={pausedUntil}
        now={now}
        onChange={(until) =>
          void save(
            { pausedUntil: until },
            until === null ? t`New comments are possible again` : t`New comments on this audio are paused`,
          )
        }
      />
    </div>
  );
}
