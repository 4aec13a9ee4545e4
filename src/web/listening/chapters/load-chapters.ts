import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import { answerOf, api } from '#web/api.ts';
import { downloadedSound } from '../downloaded-sound.ts';

/** @returns none where the site does not answer, too: the player works without them */
export async function loadChapters(id: string, signal: AbortSignal): Promise<Chapter[]> {
  const stored = downloadedSound.chaptersOf?.(id);
  if (stored !== undefined) return stored;
  const answer = await answerOf(api.audios[':id'].chapters.$get({ param: { id } }, { init: { signal } }));
  return answer.ok ? answer.data.chapters : [];
}
