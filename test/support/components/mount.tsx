import type { ReactNode } from 'react';
import { type Root, createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import { forPreferences } from '#domain/identity/preference-rules.ts';
import { LibraryProvider } from '#web/favorites/library-provider.tsx';
import { SessionProvider } from '#web/identity/session-provider.tsx';
import { PlayerProvider } from '#web/listening/player-provider.tsx';
import { type RootData, useRootData } from '#web/root-data.ts';
import { ToastProvider } from '#web/ui/layers/toast.tsx';

type Router = ReturnType<typeof createMemoryRouter>;

let remove = () => {};

/** Renders a component within the site's router and notices. */
export function mount(component: ReactNode, address = '/'): Router {
  return show(<ToastProvider>{component}</ToastProvider>, address);
}

/** With the session, the library and the player too. @param load reads the page's data anew, as after a log-in */
export function mountInSite(
  component: ReactNode,
  { user = null, load = () => dataFor(user) }: { user?: Me | null; load?: () => RootData } = {},
): Router {
  if (user !== null) keepToken(user.id);
  return show(<Site>{component}</Site>, '/', load);
}

/**
 * Hydrates the site's HTML, as a page does that was just loaded.
 * @param atSite what the site renders; the same elements as `component`, with all its code
 */
export function hydrateInSite(atSite: ReactNode, component: ReactNode): void {
  unmount();
  const place = document.body.appendChild(document.createElement('div'));
  const load = () => dataFor(null);
  place.innerHTML = renderToString(<RouterProvider router={routerOf(<Site>{atSite}</Site>, '/', load)} />);
  const router = routerOf(<Site>{component}</Site>, '/', load);
  forget(place, hydrateRoot(place, <RouterProvider router={router} />), router);
}

function show(element: ReactNode, address: string, load?: () => RootData): Router {
  return mountRouter(routerOf(element, address, load));
}

/** Renders a router of its own, as for a page with data that it reads again. */
export function mountRouter(router: Router): Router {
  unmount();
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  root.render(<RouterProvider router={router} />);
  forget(place, root, router);
  return router;
}

function routerOf(element: ReactNode, address: string, load?: () => RootData): Router {
  return createMemoryRouter([{ id: 'root', path: '*', element, ...(load && { loader: load }) }], {
    initialEntries: [address],
    ...(load && { hydrationData: { loaderData: { root: load() } } }),
  });
}

function forget(place: Element, root: Root, router: Router): void {
  remove = () => {
    root.unmount();
    place.remove();
    router.dispose();
  };
}

/** As a log-in leaves it. */
export function keepToken(userId: string): void {
  localStorage.setItem(
    'sotto.session',
    JSON.stringify({ token: `token-of-${userId}`, lastUpdated: Date.now(), userId }),
  );
}

export function unmount(): void {
  remove();
  remove = () => {};
}

const loadModals = () => import('#web/shell/account-modals.tsx');
const loadPicker = () => import('#web/library/playlist-picker.tsx');

function Site({ children }: { children: ReactNode }) {
  const data = useRootData() ?? dataFor(null);
  return (
    <ToastProvider>
      <SessionProvider {...data} loadModals={loadModals}>
        <LibraryProvider user={data.user} favorites={data.favorites} loadPicker={loadPicker}>
          <PlayerProvider {...data}>{children}</PlayerProvider>
        </LibraryProvider>
      </SessionProvider>
    </ToastProvider>
  );
}

/** The site's data for a page, as `root.tsx` loads it. */
export function dataFor(user: Me | null): RootData {
  return {
    siteName: 'Sotto',
    siteUrl: location.origin,
    appLinks: {},
    theme: 'dark',
    preferences: forPreferences(() => false),
    viewer:
      user === null
        ? { kind: 'visitor' }
        : { kind: 'user', id: user.id, isSubscribed: user.isSubscribed, isComplete: true },
    user,
    favorites: user && { ids: { audios: [], voices: [], categories: [], playlists: [], users: [] }, isWhole: true },
    identity: { provider: 'built-in', social: [] },
    pastDue: null,
    transportKey: null,
    preview: null,
    queueHead: null,
    standalone: false,
  };
}

export const listener: Me = {
  id: 'u1',
  email: 'nora@example.com',
  username: 'nora',
  icon: null,
  color: '#8FC7B5',
  isSubscribed: true,
  subIsWeb: true,
  isAdmin: false,
  isModerator: false,
  preferences: forPreferences(() => null),
  isDiscreet: null,
  language: null,
  hasBlockedUsers: false,
  blockedUsers: [],
};
