import { t } from '@lingui/core/macro';
import type { ManagedState } from '#domain/studio/rules.ts';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { type Publication, publicationNotices } from '../../workshop/forms/publishing-panel.tsx';

/** Closes the notice of the last act: after a further one, its Undo would take back both. */
let shown = new AbortController();

export function setPublication(id: string, publication: Publication) {
  shown.abort();
  return answerOf(api.studio.audios[':id'].publication.$put({ param: { id }, json: publication }));
}

type Published = { state: ManagedState; publishedAt: string | null };

type PublishingOptions = {
  /** Saves pending input. @returns the error message, if any */
  onBefore: (state: Publication['state']) => Promise<string | undefined>;
  /** Reloads the audio. */
  onDone: () => Promise<void>;
};

/** Publishes an audio with a notice that offers Undo. @returns a function that returns true, or the error message */
export function usePublishing(audio: Published & { id: string }, { onBefore, onDone }: PublishingOptions) {
  const showToast = useToast();

  async function undo(): Promise<void> {
    const undone = await setPublication(audio.id, formerPublication(audio));
    showToast({ text: undone.ok ? t`Undone` : undone.message });
    await onDone();
  }

  return async (publication: Publication): Promise<true | string> => {
    const refusal = await onBefore(publication.state);
    if (refusal !== undefined) return refusal;
    const answer = await setPublication(audio.id, publication);
    if (!answer.ok) return answer.message;
    await onDone();
    shown = new AbortController();
    showToast({
      text: answer.data.state === 'in-review' ? t`Sent for review` : publicationNotices()[publication.state],
      kind: 'publication',
      action: { label: t`Undo`, onPress: () => void undo() },
      until: shown.signal,
    });
    return true;
  };
}

/** The change that undoes a publication: it restores the audio's former state. */
export function formerPublication({ state, publishedAt }: Published): Publication {
  if (state === 'published') return { state: 'published' };
  if (state === 'scheduled' && publishedAt !== null) return { state: 'scheduled', at: publishedAt };
  return { state: 'unpublished' };
}
