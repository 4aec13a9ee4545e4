import type { ManagedState } from '#domain/studio/rules.ts';
import { answerOf, api } from '../../api.ts';
import type { Notice } from '../../ui/layers/notice.ts';

export type Publication = { state: 'published' } | { state: 'scheduled'; at: string } | { state: 'unpublished' };

/** Closes the notice of the last act: after a further one, its Undo would take back both. */
let shown = new AbortController();

export function setPublication(id: string, publication: Publication) {
  shown.abort();
  return answerOf(api.studio.audios[':id'].publication.$put({ param: { id }, json: publication }));
}

/** @param audio as it was before the act @param onUndone reloads the audio */
export function noticeWithUndo(
  text: string,
  audio: Parameters<typeof formerPublication>[0] & { id: string },
  { showToast, onUndone }: { showToast: (notice: Notice) => void; onUndone: () => Promise<void> },
): void {
  shown = new AbortController();
  async function undo(): Promise<void> {
    const undone = await setPublication(audio.id, formerPublication(audio));
    showToast({ text: undone.ok ? 'Undone' : undone.message });
    await onUndone();
  }
  showToast({
    text,
    kind: 'publication',
    action: { label: 'Undo', onPress: () => void undo() },
    until: shown.signal,
  });
}

/** The change that undoes a publication: it restores the audio's former state. */
export function formerPublication({
  state,
  publishedAt,
}: {
  state: ManagedState;
  publishedAt: string | null;
}): Publication {
  if (state === 'published') return { state: 'published' };
  if (state === 'scheduled' && publishedAt !== null) return { state: 'scheduled', at: publishedAt };
  return { state: 'unpublished' };
}
