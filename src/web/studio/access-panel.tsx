import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import type { AudioFacts } from '#domain/studio/editor.ts';
import type { AudioChange } from '#domain/studio/forms.ts';
import { formatCount, formatCountOf } from '../format.ts';
import { Icon } from '../ui/icon.tsx';

type AccessPanelProps = {
  audio: AudioFacts;
  isFree: boolean;
  commentsDisabled: boolean;
  onChange: (change: AudioChange) => void;
};

export function AccessPanel({ audio, isFree, commentsDisabled, onChange }: AccessPanelProps) {
  const { comments, unansweredComments } = audio;
  return (
    <section className="pn" aria-label="Who may hear it">
      <h3 className="mb-2.5">Who may hear it</h3>
      <fieldset className="seg seg--w" aria-label="Who may hear it">
        <button type="button" aria-pressed={isFree} onClick={() => onChange({ isFree: true })}>
          <Icon of={LockOpen} size={16} />
          Everyone
        </button>
        <button type="button" aria-pressed={!isFree} onClick={() => onChange({ isFree: false })}>
          <Icon of={Lock} size={16} />
          Subscribers
        </button>
      </fieldset>
      <p className="t13 mt-2.5 text-muted">
        {isFree
          ? 'Free audios can be heard without logging in.'
          : audio.isPreview
            ? 'It is the preview now, which everybody may hear.'
            : 'Others see it with a lock, and hear nothing of it.'}
      </p>
      <div className="swr2 mt-2.5 border-t border-line pb-0">
        <span className="min-w-0 flex-1">
          <b id="comments-name">Comments</b>
          <small className="tabular-nums">
            {commentsDisabled
              ? `Off. ${formatCountOf(comments, 'comment')} hidden`
              : unansweredComments === 0
                ? formatCount(comments)
                : `${formatCount(comments)}, of which ${formatCount(unansweredComments)} unanswered`}
          </small>
        </span>
        <button
          type="button"
          role="switch"
          className="swb"
          aria-checked={!commentsDisabled}
          aria-label="Allow comments"
          onClick={() => onChange({ commentsDisabled: !commentsDisabled })}
        >
          <span className="sw" />
        </button>
      </div>
    </section>
  );
}
