import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import FileCheck from 'lucide-react/icons/file-check';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Undo from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import { href, redirect, useRevalidator } from 'react-router';
import type { AudioPerformer } from '#domain/studio/audios/performers.ts';
import { formatTime } from '#formats/durations.ts';
import { type Answer, answerOf, api } from '../../api.ts';
import { orNotFound } from '../../route-errors.ts';
import { setPublication } from '../../studio/audios/publication-calls.ts';
import { managedVoice } from '../../studio/managed-voice.ts';
import { AddPerformer } from '../../studio/performers/add-performer.tsx';
import { AudioParts } from '../../studio/performers/audio-parts.tsx';
import { CheckPerformerDialog, RecordConsentDialog } from '../../studio/performers/operator-acts.tsx';
import { OwnerRow, PerformerRow } from '../../studio/performers/performer-row.tsx';
import { creditOf } from '../../workshop/performers/performer-facts.tsx';
import { Banner } from '../../studio/verification/banner.tsx';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { MenuItem } from '../../ui/layers/menu-items.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { Note } from '../../ui/note.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { PublicationMark } from '../../workshop/state-mark.tsx';
import { titled } from '../../workshop/titled.ts';
import { useCopy } from '../../workshop/use-copy.ts';
import { DownloadButton } from '../../workshop/download-button.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/performers';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const audio = orNotFound(await site.studio.findAudioFacts(viewer, params.id));
  if (audio.id !== params.id || audio.voice.slug !== voice.slug)
    throw redirect(href('/studio/:voice/audios/:id/performers', { voice: audio.voice.slug, id: audio.id }));
  const performers = orNotFound(await site.studio.listPerformers(viewer, audio.id));
  return { audio, performers, isOperator: viewer.isAdmin === true, now: Date.now() };
}

export const meta = titled(({ audio }: Route.ComponentProps['loaderData']) => audio.title);

/** The performers of an audio, and whether they agreed. */
export default function StudioPerformers({ loaderData }: Route.ComponentProps) {
  const { audio, performers, isOperator, now } = loaderData;
  const { owner, items, complete, total, gap } = performers;
  const { voice } = useStudio();
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const copy = useCopy();
  const [isBusy, setIsBusy] = useState(false);
  const [dialog, setDialog] = useState<{ is: 'consent' | 'check'; performer: AudioPerformer }>();
  const at = { voice: audio.voice.slug };
  const param = { id: audio.id };

  /** @returns the answer, after the page shows it */
  async function act<Data>(sending: Promise<Answer<Data>>, done?: string): Promise<Answer<Data>> {
    setIsBusy(true);
    const answer = await sending;
    await revalidate();
    setIsBusy(false);
    if (!answer.ok) showToast({ text: answer.message });
    else if (done !== undefined) showToast({ text: done });
    return answer;
  }

  const linkOf = (performer: AudioPerformer, by: 'mail' | 'copy') =>
    answerOf(
      api.studio.audios[':id'].performers[':performerId'].link.$post({
        param: { ...param, performerId: performer.id },
        json: { by },
      }),
    );

  async function copyLink(performer: AudioPerformer): Promise<void> {
    const answer = await act(linkOf(performer, 'copy'));
    if (answer.ok && answer.data.link !== null) await copy('link', answer.data.link);
  }

  const remove = (performer: AudioPerformer) =>
    act(
      answerOf(
        api.studio.audios[':id'].performers[':performerId'].$delete({ param: { ...param, performerId: performer.id } }),
      ),
      t`${{ name: creditOf(performer) }} is removed`,
    );

  const setOwner = (isHeard: boolean) =>
    act(answerOf(api.studio.audios[':id'].performers.owner.$put({ param, json: { isHeard } })));

  async function add(json: { name: string | null; email: string }): Promise<string | undefined> {
    const answer = await answerOf(api.studio.audios[':id'].performers.$post({ param, json }));
    await revalidate();
    if (!answer.ok) return answer.message;
    showToast({ text: t`The link is on its way` });
    return undefined;
  }

  return (
    <>
      <WorkshopHead
        title={audio.title}
        back={{ to: href('/studio/:voice/audios', at), label: t`Audios` }}
        facts={
          <>
            <PublicationMark of={audio} now={now} />
            <span className="ms-2.5 tabular-nums">{formatTime(audio.numberDuration)}</span>
          </>
        }
      >
        {isOperator && (
          <a className="btn btn--secondary" href={href('/admin/audios/:id/chain.json', { id: audio.id })} download="">
            <Icon of={Download} size={16} />
            {t`Archive`}
          </a>
        )}
        {isOperator && (
          <DownloadButton
            className="btn btn--secondary"
            name={`chain-${audio.slug}.pdf`}
            label={t`Archive as PDF`}
            load={() => api.admin.audios[':id'].chain.pdf.$get({ param: { id: audio.id } })}
          >
            <Icon of={Download} size={16} />
            {t`PDF`}
          </DownloadButton>
        )}
        {(audio.state === 'draft' || audio.state === 'unpublished') && (
          <Button
            variant="primary"
            disabled={gap !== null || isBusy}
            onClick={() => void act(setPublication(audio.id, { state: 'published' }), t`Published`)}
          >
            {t`Publish`}
          </Button>
        )}
      </WorkshopHead>
      <AudioParts audio={audio} waiting={total - complete} />
      {items
        .filter(({ state }) => state === 'withdrawn' || state === 'refused')
        .map((performer) => (
          <AgainstBanner key={performer.id} performer={performer} />
        ))}
      <div className="main-and-aside">
        <section aria-labelledby="heard">
          <div className="workshop-section__head">
            <h2 id="heard">
              <Trans>Who is heard</Trans>
            </h2>
            {total > 0 && <p>{t`${complete} of ${total} complete`}</p>}
          </div>
          {total === 0 ? (
            <div className="pane">
              <EmptyState
                title={t`Who is heard?`}
                text={t`If you record alone, that is you. Add everyone else, they get a link.`}
              >
                <Button onClick={() => void setOwner(true)}>{t`I am heard`}</Button>
              </EmptyState>
            </div>
          ) : (
            <div className="pane py-1">
              {owner && <OwnerRow owner={owner} onRemove={() => void setOwner(false)} />}
              {items.map((performer) => (
                <PerformerRow
                  key={performer.id}
                  performer={performer}
                  busy={isBusy}
                  onSend={() => void act(linkOf(performer, 'mail'), t`The link is on its way`)}
                  onCopy={() => void copyLink(performer)}
                  onRemove={() => void remove(performer)}
                  more={
                    isOperator && (
                      <>
                        <MenuItem icon={FileCheck} onSelect={() => setDialog({ is: 'consent', performer })}>
                          {t`Record a consent`}
                        </MenuItem>
                        <MenuItem icon={ShieldCheck} onSelect={() => setDialog({ is: 'check', performer })}>
                          {t`Record a check`}
                        </MenuItem>
                      </>
                    )
                  }
                />
              ))}
            </div>
          )}
          {owner === null && total > 0 && (
            <Button className="mt-3" size="sm" variant="ghost" onClick={() => void setOwner(true)}>
              {t`${{ name: voice.name }} is heard, too`}
            </Button>
          )}
          <Note tone="info" className="mt-4">
            <Trans>
              Publish opens when everyone has agreed to be recorded and published. Without “downloaded”, listeners can
              stream this audio but not keep it on their device.
            </Trans>
          </Note>
        </section>
        <AddPerformer onAdd={add} />
      </div>
      {dialog?.is === 'consent' && (
        <RecordConsentDialog
          audioId={audio.id}
          performer={dialog.performer}
          onDone={revalidate}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog?.is === 'check' && (
        <CheckPerformerDialog
          audioId={audio.id}
          performer={dialog.performer}
          onDone={revalidate}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

function AgainstBanner({ performer }: { performer: AudioPerformer }) {
  const name = creditOf(performer);
  return (
    <Banner
      icon={Undo}
      tone="bad"
      title={performer.state === 'withdrawn' ? t`${name} took their consent back` : t`${name} did not agree`}
    >
      <Trans>
        On <LocalTime at={performer.answeredAt ?? ''} style="full" />. The audio is hidden. Remove them with new sound,
        or ask them.
      </Trans>
    </Banner>
  );
}
