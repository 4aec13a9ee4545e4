import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, redirect, useRevalidator } from 'react-router';
import { maxCredits } from '#domain/catalogue/credits/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { type Answer, answerOf, api } from '../../api.ts';
import { orNotFound } from '../../route-errors.ts';
import { AddCredit } from '../../studio/credits/add-credit.tsx';
import { CreditRow } from '../../studio/credits/credit-row.tsx';
import { SharesPane } from '../../studio/credits/shares-pane.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { AudioParts } from '../../studio/performers/audio-parts.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { Note } from '../../ui/note.tsx';
import { HandOrder, moved } from '../../workshop/forms/hand-order.tsx';
import { PublicationMark } from '../../workshop/state-mark.tsx';
import { titled } from '../../workshop/titled.ts';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/audio-credits';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const audio = orNotFound(await site.studio.findAudioFacts(viewer, params.id));
  if (audio.id !== params.id || audio.voice.slug !== voice.slug)
    throw redirect(href('/studio/:voice/audios/:id/credits', { voice: audio.voice.slug, id: audio.id }));
  const [credits, performers, managed, splits, lastEarned] = await Promise.all([
    site.studio.listCredits(viewer, audio.id),
    site.studio.listPerformers(viewer, audio.id),
    site.studio.listManagedVoices(viewer),
    site.studio.findSplits(viewer, audio.id),
    site.earnings.findLastEarned(viewer, audio.id),
  ]);
  const others = managed.filter(({ id }) => id !== voice.id);
  return {
    audio,
    credits: orNotFound(credits),
    waiting: performers === undefined ? 0 : performers.total - performers.complete,
    own: [voice, ...others].map(({ id, name, imageUrl }) => ({ id, name, imageUrl })),
    splits,
    lastEarned,
    now: Date.now(),
  };
}

export const meta = titled(({ audio }: Route.ComponentProps['loaderData']) => audio.title);

/** A key per item, so that input of one does not appear on another. */
export default function StudioAudioCredits({ loaderData }: Route.ComponentProps) {
  return <CreditsPage key={loaderData.audio.id} {...loaderData} />;
}

function CreditsPage({ audio, credits, waiting, own, splits, lastEarned, now }: Route.ComponentProps['loaderData']) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const [order, setOrder] = useState<string[]>();
  const param = { id: audio.id };
  const items = order?.flatMap((id) => credits.find((credit) => credit.id === id) ?? []) ?? credits;

  async function act(sending: Promise<Answer<unknown>>, done: string): Promise<void> {
    setIsBusy(true);
    const answer = await sending;
    await revalidate();
    setIsBusy(false);
    setOrder(undefined);
    showToast({ text: answer.ok ? done : answer.message });
  }

  function move(from: number, to: number): void {
    const ids = moved(items, from, to).map(({ id }) => id);
    setOrder(ids);
    void act(answerOf(api.studio.audios[':id'].credits.order.$put({ param, json: { ids } })), t`Order saved`);
  }

  return (
    <>
      <WorkshopHead
        title={audio.title}
        back={{ to: href('/studio/:voice/audios', { voice: audio.voice.slug }), label: t`Audios` }}
        facts={
          <>
            <PublicationMark of={audio} now={now} />
            <span className="ms-2.5 tabular-nums">{formatTime(audio.numberDuration)}</span>
          </>
        }
      />
      <AudioParts audio={audio} waiting={waiting} />
      <div className="main-and-aside">
        <section aria-labelledby="credits">
          <div className="workshop-section__head">
            <h2 id="credits">
              <Trans>Credits</Trans>
            </h2>
            <p>{t`Shown on the audio’s page, in podcast apps and in search`}</p>
          </div>
          {items.length === 0 ? (
            <div className="pane">
              <EmptyState
                title={t`Nobody is credited`}
                text={t`Name those who wrote, read, edited or mixed it. Creators of this site get a link to their page.`}
              />
            </div>
          ) : (
            <HandOrder
              items={items}
              label={t`Order of the credits`}
              nameOf={({ name }) => name}
              renderItem={(credit) => (
                <CreditRow
                  credit={credit}
                  disabled={isBusy}
                  onRole={(role) =>
                    void act(
                      answerOf(
                        api.studio.audios[':id'].credits[':creditId'].$patch({
                          param: { ...param, creditId: credit.id },
                          json: { role },
                        }),
                      ),
                      t`Saved`,
                    )
                  }
                />
              )}
              onMove={move}
              onRemove={({ id, name }) =>
                void act(
                  answerOf(
                    api.studio.audios[':id'].credits[':creditId'].$delete({ param: { ...param, creditId: id } }),
                  ),
                  t`${name} is removed`,
                )
              }
            />
          )}
          <Note tone="info" className="mt-4">
            <Trans>
              Another creator is shown only after they accepted, and can take that back. Who is heard, and their
              consent, is under Performers.
            </Trans>
          </Note>
          {splits !== undefined && (
            <SharesPane
              key={[splits.waiting?.id, splits.current?.id, ...splits.candidates.map(({ id }) => id)].join(' ')}
              audioId={audio.id}
              splits={splits}
              lastEarned={lastEarned}
              disabled={isBusy}
              onAct={(sending, done) => void act(sending, done)}
            />
          )}
        </section>
        {items.length < maxCredits && (
          <AddCredit
            own={own}
            onAdd={async (json) => {
              const answer = await answerOf(api.studio.audios[':id'].credits.$post({ param, json }));
              await revalidate();
              return answer.ok ? undefined : answer.message;
            }}
          />
        )}
      </div>
    </>
  );
}
