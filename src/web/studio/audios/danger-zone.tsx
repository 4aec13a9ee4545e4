import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { undoOf } from '../../workshop/undo-notices.ts';
import type { usePublishing } from './publication-calls.ts';

/** Actions with serious consequences, which are listed. Deleting asks for confirmation; both actions can be undone. */
export function DangerZone({ audio, publish }: { audio: AudioFacts; publish: ReturnType<typeof usePublishing> }) {
  const navigate = useNavigate();
  const showToast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const { id, comments, playlists } = audio;
  const isHidden = audio.state === 'draft' || audio.state === 'unpublished';

  async function unpublish(): Promise<void> {
    const outcome = await publish({ state: 'unpublished' });
    if (outcome !== true) showToast({ text: outcome });
  }

  async function remove(): Promise<void> {
    setBusy(true);
    const answer = await answerOf(api.studio.audios[':id'].$delete({ param: { id } }));
    setBusy(false);
    if (!answer.ok) {
      setIsAsking(false);
      return showToast({ text: answer.message });
    }
    const list = href('/studio/:voice/audios', { voice: audio.voice.slug });
    await navigate(list);
    showToast({
      text: t`“${{ title: audio.title }}” is deleted`,
      kind: 'deletion',
      ...undoOf([id]),
      action: {
        label: t`Undo`,
        onPress: () =>
          void answerOf(api.studio.audios[':id'].restore.$post({ param: { id } })).then((undone) => {
            showToast({ text: undone.ok ? t`“${{ title: audio.title }}” is restored` : undone.message });
            return navigate(undone.ok ? `${list}/${id}` : list);
          }),
      },
    });
  }

  if (isHidden && !audio.canDelete) return null;
  return (
    <section className="mt-10 max-md:mt-8" aria-label={t`Danger zone`}>
      <h2 className="pane-title mb-3.5">
        <Trans>Danger zone</Trans>
      </h2>
      <div className="danger">
        {!isHidden && (
          <div className="danger__row">
            <p>
              <b>{audio.state === 'scheduled' ? t`Cancel the schedule` : t`Unpublish`}</b>
              <small>
                {audio.state === 'scheduled'
                  ? t`It is not published at its time. Nothing else changes.`
                  : t`It disappears from every list at once. Plays, ${plural(comments, { one: '# comment', other: '# comments' })} and its place in ${plural(playlists, { one: '# playlist', other: '# playlists' })} are kept for when you publish it again.`}
              </small>
            </p>
            <Button variant="outline" onClick={() => void unpublish()}>
              {audio.state === 'scheduled' ? t`Cancel schedule` : t`Unpublish`}
            </Button>
          </div>
        )}
        {audio.canDelete && (
          <div className="danger__row">
            <p>
              <b>
                <Trans>Delete this audio</Trans>
              </b>
              <small>
                {t`It disappears at once. You can restore it for 30 days. Then the file, the transcript and ${plural(comments, { one: '# comment', other: '# comments' })} are gone for good.`}
              </small>
            </p>
            {isAsking ? (
              <span className="flex flex-wrap gap-2">
                <button type="button" className="btn btn--destructive" disabled={busy} onClick={() => void remove()}>
                  {busy ? t`Deleting` : t`Delete it`}
                </button>
                {/* Not on the destructive button, which a second Enter would press. */}
                <Button ref={takeFocus} variant="ghost" onClick={() => setIsAsking(false)}>
                  {t`Keep it`}
                </Button>
              </span>
            ) : (
              <button type="button" className="btn btn--danger" onClick={() => setIsAsking(true)}>
                <Trans>Delete audio</Trans>
              </button>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

function takeFocus(button: HTMLElement | null): void {
  button?.focus();
}
