import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import { FavoriteButton } from '../../catalogue/favorite-button.tsx';
import { ReportLink, ShareButton } from '../../catalogue/list-actions.tsx';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { PagedGrid } from '../../catalogue/paged-grid.tsx';
import { UserPlaylistCard } from '../../library/user-playlist-cover.tsx';
import { BlockButton } from '../../community/block-button.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { formatMonth } from '#formats/times.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { Note } from '../../ui/note.tsx';
import type { Route } from './+types/user';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { community, identity, library } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const profile = orNotFound(await identity.findPublicProfile(params.id));
  const { cursor } = readListQuery(request);
  const [isBlocked, playlists] = await Promise.all([
    community.hasBlocked(viewer, profile.id),
    orBadRequest(library.listUserPlaylistsOf(viewer, profile.id, { cursor, limit: 30 })),
  ]);
  return { profile, isOwn: viewer.kind === 'user' && viewer.id === profile.id, isBlocked, playlists };
}

export const meta = metaOf(({ profile, playlists }: Route.ComponentProps['loaderData']) => ({
  title: profile.username,
  description: descriptionOf(formatMonth(profile.createdAt)),
  path: href('/account/:id', { id: profile.id }),
  type: 'profile',
  // Search engines index only profiles with shared playlists.
  index: playlists.items.length === 0 ? 'no' : undefined,
}));

const descriptionOf = (month: string) => t`Listening since ${month}, with playlists to share.`;

export default function User({ loaderData }: Route.ComponentProps) {
  const { profile, isOwn, isBlocked, playlists } = loaderData;
  const { username } = profile;
  const month = formatMonth(profile.createdAt);
  return (
    <div className="wrap">
      {isOwn && (
        <Note tone="info" className="mt-6 w-fit">
          <Trans>
            This is what others see of you.{' '}
            <Link className="ulink" to={href('/account')}>
              Go to your account
            </Link>
          </Trans>
        </Note>
      )}
      <header className="flex items-center gap-6 pt-8">
        <Avatar name={profile.icon ?? profile.username} color={profile.color} size={88} />
        <div className="min-w-0">
          <h1 className="text-60 [overflow-wrap:anywhere]">{profile.username}</h1>
          <p className="mt-1 text-muted">{t`Listening since ${month}`}</p>
        </div>
      </header>
      {!isOwn && (
        <div className="acts flex-wrap">
          {!isBlocked && (
            <FavoriteButton
              contentTypeId="user"
              name={profile.username}
              subjectId={profile.id}
              source="userProfile"
              variant="button"
            />
          )}
          <BlockButton user={profile} isBlocked={isBlocked} />
          <ShareButton name={profile.username} />
          <ReportLink about={`user/${profile.id}`} />
        </div>
      )}
      {isBlocked && (
        <Note tone="info" className="mt-6 w-fit">
          {t`You blocked ${username}. You do not see their comments and playlists.`}
        </Note>
      )}
      <section className="section" aria-label={t`Playlists`} hidden={isBlocked}>
        <h2 className="text-26">
          <Trans>Playlists</Trans>
        </h2>
        {playlists.items.length === 0 ? (
          <p className="mt-4 text-muted">
            <Trans>No playlists yet</Trans>
          </p>
        ) : (
          <PagedGrid
            page={playlists}
            more={`/v1/api/users/${profile.id}/playlists`}
            under="items"
            empty={t`No playlists yet`}
          >
            {(playlist) => <UserPlaylistCard playlist={playlist} source="userProfile" />}
          </PagedGrid>
        )}
      </section>
    </div>
  );
}
