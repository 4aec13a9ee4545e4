import { requestContext } from '#web/context.ts';
import { LogInButtons } from '#web/library/log-in-buttons.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Route } from './+types/library';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export function loader({ context }: Route.LoaderArgs) {
  return { isLoggedIn: context.get(requestContext).viewer.kind === 'user' };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, {
    title: 'Library',
    description: 'Favorites and playlists stay with your account, on every device.',
    index: 'no',
  });
}

export default function Library({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <h1 className="t-60 pt-6">Library</h1>
      {loaderData.isLoggedIn ? (
        <EmptyState title="Save you favorite audios, playlists, and Creators here." />
      ) : (
        <EmptyState
          title="Sign in to see your Library"
          text="Favorites and playlists stay with your account, on every device."
        >
          <LogInButtons />
        </EmptyState>
      )}
    </div>
  );
}
