import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, useLocation } from 'react-router';
import { type VoiceCommentFilter, voiceCommentFilters } from '#domain/community/rules.ts';
import { type Count, formatCapped, formatCount } from '#formats/numbers.ts';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { BlockedPeople } from '../../studio/comments/blocked-people.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { NewCommenters } from '../../studio/comments/new-commenters.tsx';
import { StudioThread } from '../../studio/comments/studio-thread.tsx';
import { useCommentActs, useCommentKeys } from '../../studio/comments/use-comment-acts.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { withParameters } from '../../workshop/lists/list-address.ts';
import { ListLink } from '../../workshop/lists/list-link.tsx';
import { SearchField } from '../../workshop/lists/search-field.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/comments';

const pageSize = 20;

type Shown = VoiceCommentFilter | 'blocked';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const { community } = site;
  const search = new URL(request.url).searchParams;
  const asked = search.get('show');
  const shown: Shown =
    asked === 'blocked' ? asked : (voiceCommentFilters.find((filter) => filter === asked) ?? 'unanswered');
  const q = search.get('q')?.trim().slice(0, 200) || undefined;
  const { cursor } = readListQuery(request);
  const isOfBlocks = shown === 'blocked';
  const [comments, counts, blocks, totalBlocked, commenters] = await Promise.all([
    isOfBlocks
      ? undefined
      : orBadRequest(community.listVoiceComments(viewer, voice.id, { filter: shown, q, cursor, limit: pageSize })),
    community.countVoiceComments(voice.id, q),
    orBadRequest(community.listVoiceBlocks(viewer, voice.id, isOfBlocks ? { cursor, limit: pageSize } : { limit: 3 })),
    community.countVoiceBlocks(voice.id),
    community.findVoiceCommenters(voice.id).then(orNotFound),
  ]);
  const page = isOfBlocks ? undefined : orNotFound(comments);
  return {
    shown,
    q,
    isContinued: cursor !== undefined,
    page: page && { items: page.items.map(toView), nextCursor: page.nextCursor },
    counts: { ...counts, blocked: { count: totalBlocked, isMore: false } },
    blocked: {
      ...orNotFound(blocks),
      items: orNotFound(blocks).items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() })),
    },
    commenters,
    now: Date.now(),
  };
}

/** Times as strings, as in the API. */
function toView<Of extends { createdAt: Date; replies: { createdAt: Date }[] }>(thread: Of) {
  type Reply = Of['replies'][number];
  return {
    ...thread,
    createdAt: thread.createdAt.toISOString(),
    replies: thread.replies.map((reply: Reply) => ({ ...reply, createdAt: reply.createdAt.toISOString() })),
  };
}

export const meta = metaOf(() => ({ title: t`Comments`, description: t`Comments`, index: 'no' }));

const labels: Record<Shown, () => string> = {
  unanswered: () => t`Unanswered`,
  waiting: () => t({ message: 'Held', context: 'comments' }),
  all: () => t`All`,
  hidden: () => t`Hidden`,
  reported: () => t`Reported`,
  blocked: () => t`Blocked people`,
};

const empty: Record<VoiceCommentFilter, () => { title: string; text: string }> = {
  unanswered: () => ({
    title: t`No unanswered comments`,
    text: t`New comments that nobody has answered yet are listed here.`,
  }),
  waiting: () => ({
    title: t`No held comments`,
    text: t`New comments with links wait here until you show or hide them, if you turn that on. Those with a word on the operator’s list wait for the operator.`,
  }),
  all: () => ({ title: t`No comments yet`, text: t`Comments on your audios are listed here.` }),
  hidden: () => ({ title: t`No hidden comments`, text: t`Only you and the author see hidden comments.` }),
  reported: () => ({
    title: t`No reported comments`,
    text: t`Comments that you report stay here until an operator decides.`,
  }),
};

export default function StudioComments({ loaderData }: Route.ComponentProps) {
  const { shown, q, page, counts, blocked, commenters, isContinued, now } = loaderData;
  const { voice } = useStudio();
  const acts = useCommentActs(voice);
  const list = useCommentKeys(acts, page?.items ?? []);
  const { search } = useLocation();
  const isOffered = (filter: Shown) =>
    filter !== 'waiting' || commenters.holdsLinks || counts.waiting.count > 0 || shown === filter;
  const nextCursor = shown === 'blocked' ? blocked.nextCursor : page?.nextCursor;
  return (
    <>
      <WorkshopHead title={t`Comments`} facts={t`Under the audios of ${{ name: voice.name }}`} />
      <nav className="chips chips--scroll mb-3.5" aria-label={t`Show`}>
        {([...voiceCommentFilters, 'blocked'] as const).filter(isOffered).map((filter) => (
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
          <div className="pager">
            {shown !== 'blocked' && page !== undefined && page.items.length > 0 && (
              <span className="tabular-nums">{partText(page.items.length, counts[shown])}</span>
            )}
            {(isContinued || nextCursor !== undefined) && (
              <nav aria-label={t`Pages`}>
                {isContinued && (
                  <Button size="sm" render={<Link to={withParameters(search, {})} />}>
                    {t`Newest`}
                  </Button>
                )}
                {nextCursor !== undefined && (
                  <Button size="sm" render={<Link to={withParameters(search, { cursor: nextCursor })} />}>
                    {t`Older`}
                  </Button>
                )}
              </nav>
            )}
          </div>
          {page !== undefined && page.items.length > 0 && (
            <p className="hint flex justify-start flex-wrap gap-y-1.5 gap-x-4.5 max-md:hidden mt-3">
              <span>
                <kbd className="kbd">J</kbd> <kbd className="kbd">K</kbd> <Trans>next and previous</Trans>
              </span>
              <span>
                <kbd className="kbd">R</kbd> <Trans>reply</Trans>
              </span>
              <span>
                <kbd className="kbd">H</kbd> <Trans>hide or show again</Trans>
              </span>
            </p>
          )}
        </div>
        {shown !== 'blocked' && (
          <aside className="grid content-start gap-6">
            <NewCommenters voice={voice} now={commenters} />
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

function partText(shown: number, { count, isMore }: Count): string {
  const part = formatCount(shown);
  return isMore
    ? t`${part} of over ${plural(count, { one: '# comment', other: '# comments' })}`
    : t`${part} of ${plural(count, { one: '# comment', other: '# comments' })}`;
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
  shown: VoiceCommentFilter;
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
