import { t } from '@lingui/core/macro';
import { Outlet, href, redirect } from 'react-router';
import { canAdminister } from '#domain/admin/rules.ts';
import { splitPrefix } from '#formats/languages.ts';
import { isStarted } from '#player/playback.ts';
import { adminViewer, askSecondFactor } from '#web/admin/admin-viewer.ts';
import { sumOf } from '#web/admin/desk/desk-tabs.ts';
import { FindAnythingField } from '#web/admin/find-anything-field.tsx';
import { menuOf, moderatorsMenu } from '#web/admin/menu.ts';
import { StepUpProvider } from '#web/admin/second-factor/step-up.tsx';
import { requestContext } from '#web/context.ts';
import { usePlayerState } from '#web/listening/player-provider.tsx';
import { PageError } from '#web/page-error.tsx';
import { metaOf } from '#web/page-meta.ts';
import { useRootData } from '#web/root-data.ts';
import type { PageHandle } from '#web/shell/page-handle.ts';
import type { PageOutline } from '#web/workshop/page-skeleton.tsx';
import { OrSessionEnd } from '#web/workshop/session-end.tsx';
import { SideNavigation } from '#web/workshop/side-navigation.tsx';
import { WorkshopMain } from '#web/workshop/workshop-main.tsx';
import type { Route } from './+types/admin';
import '#web/workshop.css';

export const handle: PageHandle = { frame: 'own' };

/** Before the loaders, which also require the second factor but do not know the address. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request }, next) => {
    const { pathname, search } = new URL(request.url);
    const { path } = splitPrefix(pathname);
    askSecondFactor(context, path + search);
    const { viewer } = context.get(requestContext);
    if (viewer.kind === 'user' && viewer.isModerator === true && /^\/admin\/?(\.data)?$/.test(path))
      throw redirect(href('/admin/desk'));
    return next();
  },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  return { waiting: sumOf(await site.admin.desk.countWaiting()), isModerator: !canAdminister(viewer) };
}

/** For a page whose loader failed; other pages have their own. */
export const meta = metaOf(undefined);

/** Layout of Admin's pages, with their navigation; everybody but operators gets a 404. */
const outlineOf = (path: string): PageOutline | undefined =>
  path.startsWith('/admin') ? { title: t`the page`, shape: path === '/admin' ? 'tiles' : 'table' } : undefined;

export default function Admin({ loaderData: { waiting, isModerator } }: Route.ComponentProps) {
  const root = useRootData();
  return (
    <SideNavigation
      siteName={root?.siteName ?? ''}
      area={t`Admin`}
      {...(!isModerator && {
        top: <FindAnythingField pages={menuOf(0).flatMap(({ links }) => links)} />,
        findLabel: t`Find anything`,
      })}
      groups={isModerator ? moderatorsMenu(waiting) : menuOf(waiting)}
      user={root?.user ?? null}
    >
      <WorkshopMain outlineOf={outlineOf}>
        <StepUpProvider>
          <Outlet />
        </StepUpProvider>
      </WorkshopMain>
    </SideNavigation>
  );
}

export function ErrorBoundary() {
  const isSounding = usePlayerState(({ status }) => isStarted(status));
  return (
    <main id="main">
      <OrSessionEnd>
        <PageError reloadsDocument={!isSounding} />
      </OrSessionEnd>
    </main>
  );
}
