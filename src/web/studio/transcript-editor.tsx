import type { Cue } from '#domain/catalogue/transcripts.ts';
import { formatCountOf, formatTime } from '../format.ts';
import type { RecordingControls } from './recording-controls.ts';

type TranscriptEditorProps = {
  cues: Cue[];
  onChange(cues: Cue[]): void;
  /** Seconds. */
  duration: number;
  /** `Recording.peaks`; without it lines have no waveform. */
  peaks: string | undefined;
  recording: RecordingControls;
};

/** The lines of a transcript; their texts are edited, and played. */
export function TranscriptEditor({ cues, onChange, recording }: TranscriptEditorProps) {
  return (
    <section aria-label="Transcript">
      <div className="wsec__h">
        <h2>Transcript</h2>
        <p className="tabular-nums">{formatCountOf(cues.length, 'line')}</p>
      </div>
      <ol className="cues">
        {cues.map((cue, index) => (
          <li key={`${cue.start} ${cue.end}`} className="cue">
            <button type="button" className="n" onClick={() => recording.playRange(cue.start, cue.end)}>
              {formatTime(cue.start)}
            </button>
            <input
              className="tin txt"
              aria-label={`Line ${index + 1} text`}
              value={cue.text}
              onChange={({ target }) =>
                onChange(cues.map((other, at) => (at === index ? { ...other, text: target.value } : other)))
              }
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
