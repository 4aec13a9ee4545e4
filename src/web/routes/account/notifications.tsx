import { t } from '@lingui/core/macro';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { requestContext, siteContext } from '../../context.ts';
import { latePart } from '../../late-part.tsx';
import { AccountNews } from '../../notifications/account-news.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/notifications';

const NewsSettings = latePart(async () => (await import('../../notifications/news-settings.tsx')).NewsSettings);

export async function loader({ context, request }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { isOn, notifications } = context.get(siteContext);
  orNotFound(isOn('news') || undefined);
  const { cursor } = readListQuery(request);
  const [{ items, nextCursor }, preferences, voices, series] = await Promise.all([
    orBadRequest(notifications.listNotifications(viewer, { cursor, limit: 24 })),
    notifications.findPreferences(viewer.id),
    notifications.listFollowedVoices(viewer.id),
    notifications.listFollowedSeries(viewer.id),
  ]);
  const page = { items: items.map((one) => ({ ...one, createdAt: one.createdAt.toISOString() })), nextCursor };
  return { page, preferences, voices, series, pushKey: notifications.pushKey };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`News`, description: t`News, and how you are notified.`, index: 'no' });

export default function AccountNotifications({ loaderData }: Route.ComponentProps) {
  if (loaderData === null) return null;
  const { page, ...settings } = loaderData;
  return (
    <>
      <AccountNews page={page} />
      <NewsSettings {...settings} />
    </>
  );
}
