import { adminViewer } from '#web/admin/admin-viewer.ts';
import { checkSections, SettingsChecks } from '#web/admin/site/settings-checks.tsx';
import { SettingsPage } from '#web/admin/site/settings-page.tsx';
import { pageMeta } from '#web/page-meta.ts';
import type { Route } from './+types/settings';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [settings, connections] = await Promise.all([
    site.admin.site.findSiteSettings(viewer),
    site.admin.site.findConnections(viewer),
  ]);
  return { settings, connections, now: new Date() };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Settings', description: 'What changes while the site runs', index: 'no' });
}

export default function AdminSettings({ loaderData: { settings, connections, now } }: Route.ComponentProps) {
  return (
    <SettingsPage settings={settings} checks={connections === undefined ? [] : checkSections(connections)}>
      {connections !== undefined && <SettingsChecks connections={connections} now={now} />}
    </SettingsPage>
  );
}
