import { t } from '@lingui/core/macro';
import { type CommentHold, commentHolds } from '#domain/catalogue/rules.ts';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { useSavedChanges } from '../../workshop/forms/use-saved-changes.ts';
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
  const showToast = useToast();
  const { shown, save: send } = useSavedChanges(settings, (change) =>
    answerOf(api.studio.audios[':id']['comment-settings'].$patch({ param: { id: audioId }, json: change })),
  );
  const { hold, pausedUntil } = shown;

  async function save(change: Partial<Settings>, saved: string): Promise<void> {
    const answer = await send(change);
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
