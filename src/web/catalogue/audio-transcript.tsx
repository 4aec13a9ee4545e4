import ChevronDown from 'lucide-react/icons/chevron-down';
import type { Transcript } from '#domain/catalogue/transcripts.ts';
import { formatTime } from '#web/format.ts';
import { Icon } from '#web/ui/icon.tsx';

/** The words with their times, for those who may hear the audio (product.md, "Settled in detail"); the others are told that there are some. */
export function AudioTranscript({ transcript }: { transcript: Transcript | 'locked' }) {
  if (transcript === 'locked') return <p className="mt-4 text-13 text-muted">A transcript comes with this audio.</p>;
  return (
    <details className="group mt-4">
      <summary className="link cursor-pointer list-none gap-1 [&::-webkit-details-marker]:hidden">
        Transcript
        <Icon of={ChevronDown} size={16} className="group-open:rotate-180" />
      </summary>
      <ol className="panel mt-3 grid max-w-[76ch] gap-2" lang={transcript.language}>
        {transcript.cues.map((cue) => (
          <li key={cue.start} className="grid grid-cols-[64px_minmax(0,1fr)] gap-3 leading-relaxed">
            <span className="num text-13 leading-[1.7rem] text-muted">{formatTime(cue.start)}</span>
            <span className="text-soft">{cue.text}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
