import { t } from '@lingui/core/macro';
import { type MouseEvent, useRef } from 'react';
import { href, Link } from 'react-router';
import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import { Chip } from '#web/ui/chip.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { loadTranscript } from './load-transcript.ts';

export type TranscriptLanguagesProps = {
  audio: { id: string; slug: string };
  shown: Transcript;
  onShow: (transcript: Transcript) => void;
};

/** Languages of a transcript with translations. Links, which need no JavaScript; with it, only the lines change. */
export function TranscriptLanguages({ audio, shown, onShow }: TranscriptLanguagesProps) {
  const showToast = useToast();
  const request = useRef<AbortController>(undefined);

  async function choose(event: MouseEvent, code: string): Promise<void> {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    request.current?.abort();
    request.current = new AbortController();
    const { signal } = request.current;
    const loaded = await loadTranscript(audio.id, code, signal);
    if (signal.aborted) return;
    if (loaded.state === 'there') onShow(loaded.transcript);
    else showToast({ text: t`The transcript could not be loaded.` });
  }

  return (
    <nav className="chips chips--scroll" aria-label={t`Languages of the transcript`}>
      {shown.languages.map(({ code, name }) => (
        <Chip
          key={code}
          size="sm"
          render={
            <Link
              to={`${href('/audio/:slug', { slug: audio.slug })}?transcript=${code}`}
              lang={code}
              aria-current={code === shown.language ? 'true' : undefined}
              onClick={(event) => void choose(event, code)}
            />
          }
        >
          {name}
        </Chip>
      ))}
    </nav>
  );
}
