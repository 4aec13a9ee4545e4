import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Commenters } from '#domain/catalogue/rules.ts';
import type { VoiceCommenters } from '#domain/community/commenters.ts';
import { answerOf, api } from '../../api.ts';
import { formatCount } from '#formats/numbers.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { SwitchRow } from '../../workshop/forms/switch-row.tsx';
import { CommentersChoice } from './commenters-choice.tsx';

const saved: Record<Commenters, () => string> = {
  everyone: () => t`Everyone can comment on your new audios`,
  subscribers: () => t`Subscribers can comment on your new audios`,
  nobody: () => t`Comments start switched off on your new audios`,
};

type NewCommentersProps = { voice: { id: string; name: string }; now: VoiceCommenters };

/** Default for commenters on future uploads of a voice. */
export function NewCommenters({ voice, now }: NewCommentersProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [wanted, setWanted] = useState<Commenters>();
  const [wantsHeld, setWantsHeld] = useState<boolean>();

  async function choose(commenters: Commenters): Promise<void> {
    if (wanted !== undefined || commenters === now.commenters) return;
    setWanted(commenters);
    const answer = await answerOf(
      api.studio.voices[':id'].commenters.$put({ param: { id: voice.id }, json: { commenters } }),
    );
    if (answer.ok) await revalidate();
    setWanted(undefined);
    showToast({ text: answer.ok ? saved[commenters]() : answer.message });
  }

  async function hold(holdsLinks: boolean): Promise<void> {
    if (wantsHeld !== undefined) return;
    setWantsHeld(holdsLinks);
    const answer = await answerOf(
      api.studio.voices[':id']['holds-links'].$put({ param: { id: voice.id }, json: { holdsLinks } }),
    );
    if (answer.ok) await revalidate();
    setWantsHeld(undefined);
    const text = holdsLinks ? t`New comments with links wait for you` : t`New comments with links are shown at once`;
    showToast({ text: answer.ok ? text : answer.message });
  }

  return (
    <section className="pane" aria-label={t`Who may comment`}>
      <h2 className="pane-subtitle mb-2.5">
        <Trans>Who may comment</Trans>
      </h2>
      <p className="text-13 mb-2.5 text-muted">
        <Trans>On new audios. Each audio can be changed in its editor.</Trans>
      </p>
      <CommentersChoice
        label={t`Who may comment on new audios`}
        value={wanted ?? now.commenters}
        onChange={(choice) => void choose(choice)}
      />
      <div className="mt-3">
        <SwitchRow
          label={t`Links in comments`}
          text={t`Held until you have read them`}
          isOn={wantsHeld ?? now.holdsLinks}
          onChange={(holdsLinks) => void hold(holdsLinks)}
        />
      </div>
      {now.audios > 0 && (
        <p className="text-13 mt-3 border-t border-line pt-3 tabular-nums text-muted">
          {t`Comments are on for ${{ on: formatCount(now.withComments) }} of ${plural({ count: now.audios }, { one: '# audio', other: '# audios' })} by ${{ name: voice.name }}.`}
        </p>
      )}
    </section>
  );
}
