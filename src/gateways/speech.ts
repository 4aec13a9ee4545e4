import { openAsBlob } from 'node:fs';
import { z } from 'zod';
import { withoutEndSlashes } from '#formats/own-path.ts';
import type { Speech } from '#domain/gateways.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { callLimits } from './call-limits.ts';
import { timedFetch } from './timed-fetch.ts';

export type SpeechConfig = { url: string; key: string | undefined; model: string };

const Answer = z.object({
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).max(20_000),
});

/** These may pass; other refusals stay. */
const mayPass = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500;

/**
 * A service with OpenAI's transcription interface
 * (https://platform.openai.com/docs/api-reference/audio/createTranscription), such as one's own of Whisper.
 */
export function openSpeech({ url, key, model }: SpeechConfig): Speech {
  const address = `${withoutEndSlashes(url)}/v1/audio/transcriptions`;
  return {
    host: new URL(url).host,
    async transcribe(path, language) {
      refuseInTransaction('The speech service');
      const body = new FormData();
      body.set('file', await openAsBlob(path, { type: 'audio/mp4' }), 'sound.m4a');
      body.set('model', model);
      body.set('response_format', 'verbose_json');
      body.set('timestamp_granularities[]', 'segment');
      // ISO 639-1, where the language has such a code.
      const [base = ''] = language.toLowerCase().split('-');
      if (base.length === 2) body.set('language', base);
      const answer = await timedFetch(address, {
        method: 'POST',
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        // The key and the sound are for this host alone.
        redirect: 'manual',
        body,
        limitMs: callLimits.speech.answerMs,
      });
      if (!answer.ok && mayPass(answer.status)) throw new Error(`The speech service answered ${answer.status}`);
      const read = answer.ok ? Answer.safeParse(await answer.json().catch(() => undefined)) : undefined;
      return read?.success === true ? { ok: true, segments: read.data.segments } : { ok: false, reason: 'refused' };
    },
  };
}
