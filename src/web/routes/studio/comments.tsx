import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, href, redirect, useLocation } from 'react-router';
import { voiceCommentFilters } from '#domain/community/rules.ts';
import { type Count, formatCapped } from '#formats/numbers.ts';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { BlockedPeople } from '../../studio/comments/blocked-people.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { CommentKeys, CommentPager } from '../../studio/comments/comment-pager.tsx';
import { StudioThread, withIsoTimes } from '../../studio/comments/studio-thread.tsx';
import { useCommentActs, useCommentKeys } from '../../studio/comments/use-comment-acts.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { withParameters } from '../../workshop/lists/list-address.ts';
import { ListLink } from '../../workshop/lists/list-link.tsx';
import { SearchField } from '../../workshop/lists/search-field.tsx';
import type { Route } from './+types/comments';

const pageSize = 20;

/** Held ones have a page of their own. */
const filters = voiceCommentFilters.filter((filter) => filter !== 'waiting');
type Filter = (typeof filters)[number];
type Shown = Filter | 'blocked';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const { community } = site;
  const search = new URL(request.url).searchParams;
  const asked = search.get('show');
  if (asked === 'waiting') throw redirect(href('/studio/:voice/comments/held', { voice: voice.slug }));
  const shown: Shown = asked === 'blocked' ? asked : (filters.find((filter) => filter === asked) ?? 'unanswered');
  const q = search.get('q')?.trim().slice(0, 200) || undefined;
  const { cursor } = readListQuery(request);
  const isOfBlocks = shown === 'blocked';
  const [comments, counts, blocks, totalBlocked] = await Promise.all([
    isOfBlocks
      ? undefined
      : orBadRequest(community.listVoiceComments(viewer, voice.id, { filter: shown, q, cursor, limit: pageSize })),
    community.countVoiceComments(voice.id, q),
    orBadRequest(community.listVoiceBlocks(viewer, voice.id, isOfBlocks ? { cursor, limit: pageSize } : { limit: 3 })),
    community.countVoiceBlocks(voice.id),
  ]);
  const page = isOfBlocks ? undefined : orNotFound(comments);
  return {
    shown,
    q,
    isContinued: cursor !== undefined,
    page: page && { items: page.items.map(withIsoTimes), nextCursor: page.nextCursor },
    counts: { ...counts, blocked: { count: totalBlocked, isMore: false } },
    blocked: {
      ...orNotFound(blocks),
      items: orNotFound(blocks).items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() })),
    },
    now: Date.now(),
  };
}

export const meta = metaOf(() => ({ title: t`Comments`, description: t`Comments`, index: 'no' }));

const labels: Record<Shown, () => string> = {
  unanswered: () => t`Unanswered`,
  all: () => t`All`,
  hidden: () => t`Hidden`,
  reported: () => t`Reported`,
  blocked: () => t`Blocked people`,
};

const empty: Record<Filter, () => { title: string; text: string }> = {
  unanswered: () => ({
    title: t`No unanswered comments`,
    text: t`New comments that nobody has answered yet are listed here.`,
  }),
  all: () => ({ title: t`No comments yet`, text: t`Comments on your audios are listed here.` }),
  hidden: () => ({ title: t`No hidden comments`, text: t`Only you and the author see hidden comments.` }),
  reported: () => ({
    title: t`No reported comments`,
    text: t`Comments that you report stay here until an operator decides.`,
  }),
};

export default function StudioComments({ loaderData }: Route.ComponentProps) {
  const { shown, q, page, counts, blocked, isContinued, now } = loaderData;
  const { voice } = useStudio();
  const acts = useCommentActs(voice);
  const list = useCommentKeys(acts, page?.items ?? []);
  const { search } = useLocation();
  const nextCursor = shown === 'blocked' ? blocked.nextCursor : page?.nextCursor;
  return (
    <>
      <nav className="chips chips--scroll mb-3.5" aria-label={t`Show`}>
        {([...filters, 'blocked'] as const).map((filter) => (
          <Chip
            key={filter}
            aria-current={filter === shown || undefined}
            render={
              <ListLink
                changes={{
                  show: filter === 'unanswered' ? undefined : filter,
                  ...(filter === 'blocked' && { q: undefined }),
                }}
              />
            }
          >
            {labels[filter]()} <b className="tabular-nums">{formatCapped(counts[filter])}</b>
          </Chip>
        ))}
      </nav>
      {shown !== 'blocked' && (
        <div className="filter-bar">
          <SearchField label={t`Search comments`} placeholder={t`Text, name`} value={q ?? ''} />
        </div>
      )}
      <div className="main-and-aside">
        <div>
          {page === undefined ? (
            <BlockedPeople
              items={blocked.items}
              total={counts.blocked.count}
              unblock={(user) => acts.setBlocked(user, false)}
            />
          ) : shown !== 'blocked' && page.items.length === 0 ? (
            <NoComments shown={shown} q={q} total={counts[shown]} without={withParameters(search, { q: undefined })} />
          ) : (
            <div ref={list} className="border-t border-line">
              {page.items.map((thread) => (
                <StudioThread key={thread.id} thread={thread} voice={voice} acts={acts} now={now} />
              ))}
            </div>
          )}
          <CommentPager
            part={
              shown !== 'blocked' && page !== undefined && page.items.length > 0
                ? { shown: page.items.length, of: counts[shown] }
                : undefined
            }
            isContinued={isContinued}
            nextCursor={nextCursor}
          />
          {page !== undefined && page.items.length > 0 && (
            <CommentKeys
              keys={[
                ['R', t({ message: 'reply', context: 'key' })],
                ['H', t({ message: 'hide or show again', context: 'key' })],
              ]}
            />
          )}
        </div>
        {shown !== 'blocked' && (
          <aside className="grid content-start gap-6">
            <section className="pane" aria-label={t`Blocked people`}>
              <BlockedPeople
                items={blocked.items}
                total={counts.blocked.count}
                unblock={(user) => acts.setBlocked(user, false)}
                all={withParameters('', { show: 'blocked' })}
              />
            </section>
          </aside>
        )}
      </div>
    </>
  );
}

function elsewhereText({ count, isMore }: Count): string {
  return isMore
    ? t`Over ${plural(count, { one: '# comment is', other: '# comments are' })} on other pages.`
    : plural(count, { one: '# comment is on other pages.', other: '# comments are on other pages.' });
}

function NoComments({
  shown,
  q,
  total,
  without,
}: {
  shown: Filter;
  q: string | undefined;
  total: Count;
  without: string;
}) {
  if (q !== undefined)
    return (
      <div className="pane">
        <p className="font-semibold">
          <Trans>No results found</Trans>
        </p>
        <p className="mb-4 mt-1 text-14 text-muted">
          <Trans>No comment or name contains “{q}”.</Trans>
        </p>
        <Button render={<Link to={without} />}>{t`Remove the search`}</Button>
      </div>
    );
  // The last page became empty.
  if (total.count > 0)
    return (
      <div className="pane">
        <p className="mb-4">{elsewhereText(total)}</p>
        <Button render={<Link to={without} />}>{t`Newest`}</Button>
      </div>
    );
  return <EmptyState {...empty[shown]()} />;
}
