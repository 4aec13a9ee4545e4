import { href, Link } from 'react-router';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { HomeRailsEditor } from '#web/admin/site/home-rails-editor.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { Chip } from '#web/ui/chip.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import type { Route } from './+types/home';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [{ home }, choices] = await Promise.all([
    site.admin.site.findLook(viewer),
    site.admin.site.findRailChoices(viewer),
  ]);
  return {
    part: { ...home, changedAt: home.changedAt?.toISOString() ?? null },
    viewers: url.searchParams.get('for') === 'listeners' ? ('listeners' as const) : ('visitors' as const),
    choices,
    now: Date.now(),
  };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Home', description: 'Homepage', index: 'no' });
}

export default function AdminHome({ loaderData: { part, viewers, choices, now } }: Route.ComponentProps) {
  return (
    <>
      <AdminHead
        title="Home"
        facts={
          part.changedAt === null ? (
            'The default. The first lines and the picture are under Look.'
          ) : (
            <>
              Changed by {part.changedBy ?? 'the command line'},{' '}
              <LocalTime at={part.changedAt} now={now} style="moment" />
            </>
          )
        }
      />
      <nav className="chips mb-5" aria-label="Who sees it">
        <Chip render={<Link to={href('/admin/home')} aria-current={viewers === 'visitors' ? 'true' : undefined} />}>
          Visitors
        </Chip>
        <Chip
          render={
            <Link
              to={`${href('/admin/home')}?for=listeners`}
              aria-current={viewers === 'listeners' ? 'true' : undefined}
            />
          }
        >
          Listeners
        </Chip>
      </nav>
      <HomeRailsEditor key={viewers} part={part} viewers={viewers} choices={choices} />
    </>
  );
}
