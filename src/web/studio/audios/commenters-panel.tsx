import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Commenters } from '#domain/catalogue/rules.ts';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import type { AudioChange } from '#domain/studio/forms.ts';
import { formatCount } from '#formats/numbers.ts';
import { CommentersChoice } from '../comments/commenters-choice.tsx';

type CommentersPanelProps = {
  audio: AudioFacts;
  commenters: Commenters;
  onChange: (change: AudioChange) => void;
  /** Below the choice. */
  children?: ReactNode;
};

/** Choice of the listeners who may comment on one audio. */
export function CommentersPanel({ audio, commenters, onChange, children }: CommentersPanelProps) {
  return (
    <section className="pane" aria-label={t`Who may comment`}>
      <h3 className="mb-2.5">
        <Trans>Who may comment</Trans>
      </h3>
      <CommentersChoice
        label={t`Who may comment`}
        value={commenters}
        onChange={(choice) => onChange({ commenters: choice })}
      />
      <p className="text-13 mt-2.5 tabular-nums text-muted">{describe(commenters, audio)}</p>
      {children}
    </section>
  );
}

function describe(commenters: Commenters, { comments, unansweredComments }: AudioFacts): string {
  if (commenters === 'nobody')
    return comments === 0
      ? t`Comments are off.`
      : t`Comments are off. ${plural(comments, { one: '# comment hidden.', other: '# comments hidden.' })}`;
  const who =
    commenters === 'everyone' ? t`Everyone with an account can write.` : t`Everyone can read, subscribers can write.`;
  if (comments === 0) return who;
  const written =
    unansweredComments === 0
      ? plural(comments, { one: '# comment.', other: '# comments.' })
      : t`${plural(comments, { one: '# comment', other: '# comments' })}, ${{ count: formatCount(unansweredComments) }} unanswered.`;
  return `${who} ${written}`;
}
