import type { ReactNode } from 'react';
import { useEffect } from 'react';
import type { LinkDescriptor, ShouldRevalidateFunctionArgs } from 'react-router';
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import stylesheet from './app.css?url';
import icon180 from './art/icon-180.png';
import icon from './art/icon.svg';
import { requestContext, siteContext } from './context.ts';
import { SessionProvider } from './identity/session-provider.tsx';
import { PlayerKeys } from './listening/player-keys.tsx';
import { PlayerProvider } from './listening/player-provider.tsx';
import { QueueViewProvider } from './listening/queue-view-state.tsx';
import { PageError } from './page-error.tsx';
import type { RootData } from './root-data.ts';
import { useRootData } from './root-data.ts';
import { usableUntil } from './membership/wording.ts';
import { fontPreloads } from './shell/font-preloads.ts';
import { holdForFade } from './shell/page-fade.tsx';
import { SiteShell } from './site-shell.tsx';
import { keepStandalone, useStandalone } from './standalone.ts';
import { ToastProvider } from './ui/toast.tsx';
import type { Route } from './+types/root';

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async (args, next) => {
    await holdForFade(args, next);
  },
];

export async function loader({ context, request }: Route.LoaderArgs): Promise<RootData> {
  const site = context.get(siteContext);
  const { viewer, preferences } = context.get(requestContext);
  const [user, subscription, preview] = await Promise.all([
    viewer.kind === 'user' ? site.identity.findMe(viewer.id) : undefined,
    viewer.kind === 'user' ? site.membership.findSubscriptionState(viewer.id) : undefined,
    site.catalogue.findPreview(),
  ]);
  return {
    siteName: site.facts.name,
    siteUrl: site.facts.url,
    appLinks: site.facts.appLinks,
    theme: preferences.theme,
    discreet: preferences.discreet,
    viewer,
    user: user ?? null,
    identity: site.facts.identity,
    pastDue: subscription?.state === 'past-due' ? { usableUntil: usableUntil(subscription) } : null,
    transportKey: site.facts.transportKey ?? null,
    preview: preview ?? null,
    standalone: new URL(request.url).searchParams.has('standalone'),
  };
}

/** The site's own facts do not change from page to page: only what was done on a page, or asked for outright, reads them again. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isNavigation = currentUrl.href !== nextUrl.href && (formMethod === undefined || formMethod === 'GET');
  return isNavigation ? false : defaultShouldRevalidate;
}

export function links(): LinkDescriptor[] {
  return [
    ...fontPreloads,
    { rel: 'icon', href: icon, type: 'image/svg+xml' },
    { rel: 'apple-touch-icon', href: icon180, sizes: '180x180' },
    { rel: 'manifest', href: '/manifest.webmanifest' },
  ];
}

export function Layout({ children }: { children: ReactNode }) {
  const theme = useRootData()?.theme ?? 'system';
  const isAlone = useStandalone();
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {theme !== 'light' && (
          <meta
            name="theme-color"
            content="#141012"
            media={theme === 'system' ? '(prefers-color-scheme: dark)' : undefined}
          />
        )}
        {theme !== 'dark' && (
          <meta
            name="theme-color"
            content="#F8F4F3"
            media={theme === 'system' ? '(prefers-color-scheme: light)' : undefined}
          />
        )}
        {/* With a precedence React writes it before all that may wait; behind the preloads it would queue for a connection. */}
        <link rel="stylesheet" href={stylesheet} precedence="site" />
        <Meta />
        {/* Styles need no nonce (they are this site's own), and the browser would have none to compare. */}
        <Links nonce="" />
      </head>
      <body className={isAlone ? undefined : 'has-player'}>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  const isAlone = useStandalone();
  useEffect(() => {
    if (isAlone) keepStandalone();
  }, [isAlone]);
  return (
    <ToastProvider>
      <SessionProvider
        user={loaderData.user}
        identity={loaderData.identity}
        transportKey={loaderData.transportKey}
        siteName={loaderData.siteName}
        appLinks={loaderData.appLinks}
      >
        <PlayerProvider
          viewer={loaderData.viewer}
          preview={loaderData.preview}
          siteName={loaderData.siteName}
          discreet={loaderData.discreet}
        >
          <QueueViewProvider>
            {!isAlone && <PlayerKeys />}
            <SiteShell site={{ ...loaderData, standalone: isAlone }}>
              <Outlet />
            </SiteShell>
          </QueueViewProvider>
        </PlayerProvider>
      </SessionProvider>
    </ToastProvider>
  );
}

/** Only where the site itself could not be asked: pages show their own failures inside the shell. */
export function ErrorBoundary() {
  return (
    <main id="main">
      <PageError />
    </main>
  );
}
