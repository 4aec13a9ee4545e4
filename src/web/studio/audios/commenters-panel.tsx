import type { Commenters } from '#domain/catalogue/rules.ts';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import type { AudioChange } from '#domain/studio/forms.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { CommentersChoice } from '../comments/commenters-choice.tsx';

type CommentersPanelProps = {
  audio: AudioFacts;
  commenters: Commenters;
  onChange: (change: AudioChange) => void;
};

/** Choice of the listeners who may comment on one audio. */
export function CommentersPanel({ audio, commenters, onChange }: CommentersPanelProps) {
  return (
    <section className="pane" aria-label="Who may comment">
      <h3 className="mb-2.5">Who may comment</h3>
      <CommentersChoice
        label="Who may comment"
        value={commenters}
        onChange={(choice) => onChange({ commenters: choice })}
      />
      <p className="text-13 mt-2.5 tabular-nums text-muted">{describe(commenters, audio)}</p>
    </section>
  );
}

function describe(commenters: Commenters, { comments, unansweredComments }: AudioFacts): string {
  if (commenters === 'nobody')
    return comments === 0 ? 'Comments are off.' : `Comments are off. ${countOf(comments, 'comment')} hidden.`;
  const who =
    commenters === 'everyone' ? 'Everyone with an account can write.' : 'Everyone can read, subscribers can write.';
  if (comments === 0) return who;
  const unanswered = unansweredComments === 0 ? '' : `, ${formatCount(unansweredComments)} unanswered`;
  return `${who} ${countOf(comments, 'comment')}${unanswered}.`;
}
