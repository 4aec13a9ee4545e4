import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link, useRouteLoaderData } from 'react-router';
import { heldDays, heldReasons, type HeldReason } from '#domain/community/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { CommentKeys, CommentPager } from '../../studio/comments/comment-pager.tsx';
import { heldWords, StudioThread, withIsoTimes } from '../../studio/comments/studio-thread.tsx';
import { useCommentActs, useCommentKeys } from '../../studio/comments/use-comment-acts.ts';
import { managedVoice } from '../../studio/managed-voice.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Pane } from '../../workshop/pane.tsx';
import type { Route } from './+types/comments-held';
import type { loader as loadTabs } from './comments-tabs.tsx';

const pageSize = 20;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const { cursor } = readListQuery(request);
  const page = orNotFound(
    await orBadRequest(
      site.community.listVoiceComments(viewer, voice.id, { filter: 'waiting', cursor, limit: pageSize }),
    ),
  );
  return {
    page: { items: page.items.map(withIsoTimes), nextCursor: page.nextCursor },
    isContinued: cursor !== undefined,
    now: Date.now(),
  };
}

export const meta = metaOf(() => ({ title: t`Held comments`, description: t`Held comments`, index: 'no' }));

const reasons: Record<HeldReason, () => string> = {
  link: () => t`A link`,
  word: () => t`One of your words`,
  unkind: () => t`Likely unkind`,
  all: () => t`Like all new comments`,
};

/** Comments that wait until somebody of the voice shows them, or keeps them hidden. */
export default function StudioHeldComments({ loaderData }: Route.ComponentProps) {
  const { page, isContinued, now } = loaderData;
  const held = useRouteLoaderData<typeof loadTabs>('routes/studio/comments-tabs')?.held;
  const { voice } = useStudio();
  const acts = useCommentActs(voice);
  const list = useCommentKeys(acts, page.items);
  const present = heldReasons.flatMap((reason) => (held?.[reason] ? [{ reason, count: held[reason] }] : []));
  return (
    <div className="main-and-aside">
      <div>
        <p className="mb-3.5 text-14 text-muted">
          {plural(
            { days: heldDays },
            {
              one: 'Nobody but you and the writer sees these. After # day without an answer they stay hidden.',
              other: 'Nobody but you and the writer sees these. After # days without an answer they stay hidden.',
            },
          )}
        </p>
        {page.items.length === 0 ? (
          <EmptyState
            title={t`No held comments`}
            text={t`New comments that you want to read first wait here, as you choose in the settings. Those with a word on the operator’s list wait for the operator.`}
          />
        ) : (
          <div ref={list} className="border-t border-line">
            {page.items.map((thread) => (
              <StudioThread key={thread.id} thread={thread} voice={voice} acts={acts} now={now} />
            ))}
          </div>
        )}
        <CommentPager isContinued={isContinued} nextCursor={page.nextCursor} />
        {page.items.length > 0 && (
          <CommentKeys
            keys={[
              ['S', t({ message: 'show', context: 'key' })],
              ['H', t({ message: 'keep hidden', context: 'key' })],
            ]}
          />
        )}
      </div>
      <aside className="grid content-start gap-6">
        <Pane title={t`Why something is held`}>
          {present.length > 0 && (
            <ul className="mb-3">
              {present.map(({ reason, count }) => (
                <li
                  key={reason}
                  className="flex items-center gap-3 py-2.5 text-14 font-medium [&+&]:border-t [&+&]:border-line"
                >
                  <Icon of={heldWords[reason].icon} size={18} className="text-success" />
                  <span className="min-w-0 flex-1">{reasons[reason]()}</span>
                  <span className="tabular-nums text-13 text-muted">{formatCount(count)}</span>
                </li>
              ))}
            </ul>
          )}
          <Link className="link text-14" to={href('/studio/:voice/comments/settings', { voice: voice.slug })}>
            <Trans>Change what is held</Trans>
          </Link>
        </Pane>
      </aside>
    </div>
  );
}
