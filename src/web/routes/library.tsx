import { LogInButtons } from '#web/library/log-in-buttons.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { Glyph } from '#web/ui/glyph.tsx';
import type { Route } from './+types/library';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, {
    title: 'Library',
    description: 'Favorites and playlists stay with your account, on every device.',
    index: 'no',
  });
}

export default function Library() {
  return (
    <div className="wrap">
      <h1 className="t-60 pt-6">Library</h1>
      <div className="empty pt-24!">
        <Glyph />
        <h2>Sign in to see your Library</h2>
        <p>Favorites and playlists stay with your account, on every device.</p>
        <LogInButtons to="see your Library" />
      </div>
    </div>
  );
}
