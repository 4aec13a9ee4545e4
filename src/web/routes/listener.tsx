import { Outlet } from 'react-router';
import { isStarted } from '#player/playback.ts';
import { usePlayerState } from '#web/listening/player-provider.tsx';
import { PageError } from '#web/page-error.tsx';
import { metaOf } from '#web/page-meta.ts';
import { largeTitlePreload } from '#web/shell/font-preloads.ts';

/** For a page whose loader failed; other pages have their own. */
export const meta = metaOf(undefined);

export function links() {
  return [largeTitlePreload];
}

/** Layout of the listeners’ pages: its error boundary keeps page errors from the root, so that the player stays mounted. */
export default function Listener() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const isSounding = usePlayerState(({ status }) => isStarted(status));
  return <PageError reloadsDocument={!isSounding} />;
}
