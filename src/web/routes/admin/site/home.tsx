import { href, Link } from 'react-router';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { HomeRailsEditor } from '#web/admin/site/home-rails-editor.tsx';
import { ChangedBy } from '#web/admin/site/look-section.tsx';
import { Chip } from '#web/ui/chip.tsx';
import type { Route } from './+types/home';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [{ home }, choices] = await Promise.all([
    site.admin.site.findLook(viewer),
    site.admin.site.findRailChoices(viewer),
  ]);
  return {
    part: home,
    viewers: url.searchParams.get('for') === 'listeners' ? ('listeners' as const) : ('visitors' as const),
    choices,
    now: Date.now(),
  };
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
            <ChangedBy facts={part} now={now} />
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
