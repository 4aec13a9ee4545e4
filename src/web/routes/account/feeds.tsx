import { t } from '@lingui/core/macro';
import { hasSubject } from '#domain/feeds/rules.ts';
import { NewFeedForm } from '#domain/feeds/forms.ts';
import { isEntitled } from '#domain/membership/rules.ts';
import { requestContext, siteContext } from '../../context.ts';
import { AccountFeeds } from '../../membership/account-feeds.tsx';
import type { FeedChoice } from '../../membership/feed-words.ts';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/feeds';

export async function loader({ context, request }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  orNotFound(site.isOn('privateFeeds') || undefined);
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const asked = NewFeedForm.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  const { kind, subject } = asked.success ? asked.data : { kind: 'all' as const, subject: undefined };
  const [feeds, playlists, found] = await Promise.all([
    site.feeds.listFeeds(viewer.id),
    site.library.listOwnUserPlaylists(viewer.id),
    hasSubject(kind) ? site.feeds.findSubject(viewer, kind, subject ?? '') : undefined,
  ]);
  const wanted: FeedChoice[] = found === undefined ? [] : [{ kind, subject: found.id, title: found.title }];
  const own = playlists.map(({ id, title }): FeedChoice => ({ kind: 'userPlaylist', subject: id, title }));
  return {
    isSubscribed: isEntitled(viewer),
    siteName: site.facts.name,
    choices: [
      ...wanted,
      { kind: 'all', title: null } satisfies FeedChoice,
      { kind: 'library', title: null } satisfies FeedChoice,
      ...own.filter(({ subject: id }) => id !== wanted[0]?.subject),
    ] as FeedChoice[],
    feeds: feeds.map((feed) => ({
      ...feed,
      createdAt: feed.createdAt.toISOString(),
      lastUsedAt: feed.lastUsedAt?.toISOString() ?? null,
    })),
  };
}

export function meta(args: Route.MetaArgs) {
  const description = t`Your own feeds for Apple Podcasts, Pocket Casts, Overcast, AntennaPod and other podcast apps.`;
  return pageMeta(args, { title: t`Podcast feeds`, description, index: 'no' });
}

export default function Feeds({ loaderData }: Route.ComponentProps) {
  return loaderData && <AccountFeeds {...loaderData} />;
}
