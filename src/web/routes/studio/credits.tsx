import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { isVoiceRole } from '#domain/kernel/rules.ts';
import { type CreditState, creditDescriptions, creditStates } from '#domain/catalogue/credits/rules.ts';
import type { CreditOfVoice } from '#domain/studio/credits/asked-credits.ts';
import { answerOf, api } from '../../api.ts';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { AskedShares } from '../../studio/credits/asked-shares.tsx';
import { AnswerMark } from '../../studio/credits/credit-row.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { OlderLinks } from '../../workshop/lists/older-links.tsx';
import { StateChips } from '../../workshop/lists/state-chips.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/credits';

const pageSize = 20;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const given = new URL(request.url).searchParams.get('state');
  const state = creditStates.find((one) => one === given);
  const { cursor } = readListQuery(request);
  const page = await orBadRequest(site.studio.listCreditsOfVoice(viewer, voice.id, { state, cursor, limit: pageSize }));
  const asked = await site.studio.listAskedSplits(viewer, voice.id);
  return { state, isContinued: cursor !== undefined, page: orNotFound(page), asked };
}

export const meta = metaOf(() => ({ title: t`Credits`, description: t`Credits`, index: 'no' }));

const states: Record<CreditState, () => string> = {
  asked: () => t({ message: 'Waiting', context: 'credits' }),
  accepted: () => t({ message: 'Accepted', context: 'credits' }),
  declined: () => t({ message: 'Declined', context: 'credits' }),
};

/** Audios of others in whose credits the creator is named. */
export default function StudioCredits({ loaderData: { state, isContinued, page, asked } }: Route.ComponentProps) {
  const { voice, counts } = useStudio();
  const { name } = voice;
  const all = creditStates.reduce((sum, one) => sum + (counts.credits[one] ?? 0), 0);
  return (
    <>
      <WorkshopHead title={t`Credits`} facts={t`Where other creators name ${name}. Listeners see what you accepted.`} />
      {asked.length > 0 && <AskedShares voiceId={voice.id} asked={asked} />}
      <StateChips
        label={t`Show`}
        value={state}
        options={[
          { value: undefined, label: t`All`, count: all },
          ...creditStates.map((one) => ({ value: one, label: states[one](), count: counts.credits[one] ?? 0 })),
        ]}
      />
      {page.items.length === 0 ? (
        <div className="pane">
          <EmptyState
            title={t`No credits`}
            text={t`When another creator names ${name} in the credits of an audio, it is listed here. You decide whether it is shown.`}
          />
        </div>
      ) : (
        <ul className="pane py-1">
          {page.items.map((credit) => (
            <Row key={credit.id} credit={credit} voiceId={voice.id} isOwn={isVoiceRole(voice.role)} />
          ))}
        </ul>
      )}
      {(isContinued || page.nextCursor !== undefined) && (
        <div className="pager">
          <OlderLinks isContinued={isContinued} nextCursor={page.nextCursor} />
        </div>
      )}
    </>
  );
}

type RowProps = {
  credit: CreditOfVoice;
  voiceId: string;
  /** The viewer is of the voice, and no operator. */
  isOwn: boolean;
};

function Row({ credit, voiceId, isOwn }: RowProps) {
  const { id, role, state, askedAt, answeredAt, audio, creator } = credit;
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const { title } = audio;

  async function answer(given: 'accepted' | 'declined'): Promise<void> {
    setIsBusy(true);
    const sent = await answerOf(
      api.studio.voices[':id'].credits[':creditId'].$put({
        param: { id: voiceId, creditId: id },
        json: { state: given },
      }),
    );
    await revalidate();
    setIsBusy(false);
    if (!sent.ok) showToast({ text: sent.message });
  }

  return (
    <li className="grid grid-cols-[44px_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-2 border-b border-line py-4 text-14 last:border-b-0 max-md:grid-cols-[44px_minmax(0,1fr)]">
      <Cover imageUrl={audio.imageUrl} size={40} />
      <div className="min-w-0">
        <p className="font-semibold" dir="auto">
          {audio.isPublished ? (
            <Link className="tap block hover:underline" to={href('/audio/:slug', { slug: audio.slug })}>
              <span className="block truncate">{title}</span>
            </Link>
          ) : (
            <span className="block truncate">{title}</span>
          )}
        </p>
        <p className="text-13 text-muted">
          {creditDescriptions[role].label()}
          <span className="dot">
            <bdi>{creator.name}</bdi>
          </span>
          {!audio.isPublished && <span className="dot">{t`Not public now`}</span>}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-md:col-[2]">
        <AnswerMark state={state} at={answeredAt ?? askedAt} />
        {isOwn && state !== 'accepted' && (
          <Button size="sm" disabled={isBusy} aria-label={t`Accept: ${title}`} onClick={() => void answer('accepted')}>
            {t`Accept`}
          </Button>
        )}
        {state !== 'declined' && (
          <Button
            size="sm"
            variant="ghost"
            className="btn--quiet"
            disabled={isBusy}
            aria-label={state === 'asked' ? t`Decline: ${title}` : t`Take back: ${title}`}
            onClick={() => void answer('declined')}
          >
            {state === 'asked' ? t`Decline` : t`Take back`}
          </Button>
        )}
      </div>
    </li>
  );
}
