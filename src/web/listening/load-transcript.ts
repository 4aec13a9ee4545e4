import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import { answerOf, api } from '#web/api.ts';
import { downloadedSound } from './downloaded-sound.ts';

export type LoadedTranscript = { state: 'failed' | 'none' } | { state: 'there'; transcript: Transcript };

/** @param language wanted; without a translation into it, what is spoken */
export async function loadTranscript(id: string, language: string, signal: AbortSignal): Promise<LoadedTranscript> {
  const stored = downloadedSound.transcriptOf?.(id, language);
  if (stored !== undefined) return { state: 'there', transcript: stored };
  const request = { param: { id }, query: { language } };
  const answer = await answerOf(api.audios[':id'].transcript.$get(request, { init: { signal } }));
  if (answer.ok) return { state: 'there', transcript: answer.data };
  return { state: answer.status === 404 ? 'none' : 'failed' };
}
