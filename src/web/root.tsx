import { type ReactNode, useEffect } from 'react';
import {
  type LinkDescriptor,
  type ShouldRevalidateFunctionArgs,
  data,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
} from 'react-router';
import { forPreferences } from '#domain/identity/preference-rules.ts';
import { foreignNames } from '#formats/language-names.ts';
import { language, languageFacts } from '#i18n';
import { features } from '#domain/settings/rules.ts';
import { audioCards } from '#web/list-items.ts';
import stylesheet from './app.css?url';
import otherMedia from './other-media.css?url';
import rightToLeft from './styles/rtl.css?url';
import icon180 from './art/icon-180.png';
import icon from './art/icon.svg';
import { preloadApi } from './api.ts';
import { requestContext, siteContext } from './context.ts';
import { SessionProvider } from './identity/session-provider.tsx';
import { LibraryProvider } from './favorites/library-provider.tsx';
import { PlayerKeys } from './shell/player-keys.tsx';
import { PlayerProvider } from './listening/player-provider.tsx';
import { QueueViewProvider } from './player/queue-view-state.tsx';
import { PageError } from './page-error.tsx';
import { PageKeeper } from './page-keeper.tsx';
import { sourceLanguage } from '#formats/languages.ts';
import { type RootData, ownPrefix, useRootData } from './root-data.ts';
import { usableUntil } from './membership/wording.ts';
import { formatDay } from '#formats/times.ts';
import { agreeOnPreferences } from './identity/preferences.ts';
import { fontPreloads } from './shell/font-preloads.ts';
import { repeatEarlyPress } from '#web/shell/early-press.ts';
import { RatingLabel } from './shell/rating-label.tsx';
import { SeenAs } from './age/seen-as.tsx';
import { removeHydrationData } from './shell/remove-hydration-data.ts';
import { holdForFade } from './shell/page-fade.tsx';
import { isRootDataStale, keepPage } from './shell/page-loads.ts';
import { SiteShell } from './site-shell.tsx';
import { asksForStandalone, keepStandalone, useStandalone } from './standalone.ts';
import { afterFirstPress } from './ui/first-press.ts';
import { ToastProvider } from './ui/layers/toast.tsx';
import type { Route } from './+types/root';

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  keepPage,
  async (args, next) => {
    await holdForFade(args, next);
  },
];

const loadModals = () => import('./shell/account-modals.tsx');
const loadPicker = () => import('./library/playlist-picker.tsx');

export async function loader({ context, request }: Route.LoaderArgs): Promise<RootData> {
  const site = context.get(siteContext);
  const { viewer, preferences, outage, refusal, seenAs } = context.get(requestContext);
  // Nothing of the catalogue shows before a proof.
  const mayShow = viewer.ageMissing !== 'proof';
  if (outage !== undefined) throw outage;
  if (refusal !== undefined) throw data(null, { status: refusal });
  const [own, preview, spoken] = await Promise.all([
    viewer.kind === 'user' ? site.findPageFacts(viewer.id) : undefined,
    mayShow ? site.catalogue.findPreview() : undefined,
    site.catalogue.countLanguages(),
  ]);
  const languageNames = foreignNames(spoken.map((one) => one.language));
  const held = own?.hold ? await site.membership.findSubscriptionState(own.me.id) : undefined;
  const look = site.look.page();
  const off = features.filter((feature) => !site.isOn(feature));
  return {
    ...(off.length > 0 && { off }),
    ...(seenAs && { seenAs: seenAs.region === undefined ? '' : site.age.nameOf(seenAs.region) }),
    ...(!site.age.isLabelled() && { isUnlabelled: true }),
    ...(`${site.facts.languages}` !== sourceLanguage && { languages: site.facts.languages }),
    ...(preferences.timeZone !== undefined && { timeZone: preferences.timeZone }),
    siteName: site.facts.name,
    siteUrl: site.facts.url,
    appLinks: site.facts.appLinks,
    theme: preferences.theme,
    preferences: forPreferences((name) => own?.me.preferences[name] ?? preferences[name]),
    viewer,
    user: own?.me ?? null,
    favorites: own?.favorites ?? null,
    identity: site.facts.identity,
    pastDue: held?.state === 'past-due' ? { usableUntil: usableUntil(held) } : null,
    ...(held?.state === 'paused' && held.pause && { pausedUntil: formatDay(held.pause.until) }),
    transportKey: site.facts.transportKey ?? null,
    preview: preview === undefined ? null : audioCards.one(preview),
    queueHead: (mayShow && own?.queueHead) || null,
    standalone: asksForStandalone(new URL(request.url).searchParams),
    ...(look && { look }),
    ...(languageNames && { languageNames }),
  };
}

/** Site data does not change between pages: only actions and explicit revalidation reload it. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isNavigation = currentUrl.href !== nextUrl.href && (formMethod === undefined || formMethod === 'GET');
  return isNavigation ? isRootDataStale() : defaultShouldRevalidate;
}

export function links(): LinkDescriptor[] {
  return fontPreloads;
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRootData();
  const { theme = 'dark', look } = root ?? {};
  return (
    <html lang={language()} dir={languageFacts().direction} data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {import.meta.env.SSR && <RatingLabel />}
        {theme !== 'light' && (
          <meta
            name="theme-color"
            content={look?.grounds?.dark ?? '#141012'}
            media={theme === 'system' ? '(prefers-color-scheme: dark)' : undefined}
          />
        )}
        {theme !== 'dark' && (
          <meta
            name="theme-color"
            content={look?.grounds?.light ?? '#F8F4F3'}
            media={theme === 'system' ? '(prefers-color-scheme: light)' : undefined}
          />
        )}
        {/* With a precedence, React writes it before everything that can wait; after the preloads it would
            queue for a connection. */}
        <link rel="stylesheet" href={stylesheet} precedence="site" />
        {/* Browsers keep what the server has written, so that the others load no code for it. */}
        {import.meta.env.SSR && languageFacts().direction === 'rtl' && (
          <link rel="stylesheet" href={rightToLeft} precedence="site" />
        )}
        {look?.css && <link rel="stylesheet" href={look.css} precedence="site" />}
        {/* Browsers load it last, unless they need it. */}
        <link rel="stylesheet" href={otherMedia} media="print, (forced-colors: active)" />
        <Meta />
        {/* Styles are same-origin and need no nonce; browsers hide nonces from scripts, so hydration could not
            compare one. */}
        <Links nonce="" />
        {import.meta.env.SSR && <link rel="manifest" href={`${ownPrefix(root)}/manifest.webmanifest`} />}
        <SiteIcons icon={look?.icon} />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
        {import.meta.env.SSR && <SeenAs />}
      </body>
    </html>
  );
}

/** An operator's icon may have no SVG. */
function SiteIcons({ icon: own }: { icon: NonNullable<RootData['look']>['icon'] }) {
  const [href, type] = own?.svg === null ? [own.png192, 'image/png'] : [own?.svg, 'image/svg+xml'];
  return (
    <>
      <link rel="icon" href={own ? `/${href}` : icon} type={type} />
      <link rel="apple-touch-icon" href={own ? `/${own.png180}` : icon180} sizes="180x180" />
    </>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  const isAlone = useStandalone();
  useEffect(() => {
    if (isAlone) keepStandalone();
  }, [isAlone]);
  useEffect(removeHydrationData, []);
  useEffect(repeatEarlyPress, []);
  useEffect(() => afterFirstPress(() => void preloadApi().catch(() => undefined)), []);
  const { user, preferences } = loaderData;
  useEffect(() => agreeOnPreferences(user, preferences), [user, preferences]);
  return (
    <ToastProvider>
      <SessionProvider
        user={loaderData.user}
        identity={loaderData.identity}
        transportKey={loaderData.transportKey}
        siteName={loaderData.siteName}
        appLinks={loaderData.appLinks}
        loadModals={loadModals}
      >
        <LibraryProvider user={loaderData.user} favorites={loaderData.favorites} loadPicker={loadPicker}>
          <PlayerProvider
            viewer={loaderData.viewer}
            preview={loaderData.preview}
            queueHead={loaderData.queueHead}
            siteName={loaderData.siteName}
            preferences={preferences}
            neutralArtwork={loaderData.look?.icon?.png512}
          >
            <PageKeeper />
            <QueueViewProvider>
              {!isAlone && <PlayerKeys />}
              <SiteShell site={{ ...loaderData, standalone: isAlone }}>
                <Outlet />
              </SiteShell>
            </QueueViewProvider>
          </PlayerProvider>
        </LibraryProvider>
      </SessionProvider>
    </ToastProvider>
  );
}

/** Shown only when the root loader fails: errors of pages stay inside the shell (routes/listener.tsx). */
export function ErrorBoundary() {
  return (
    <main id="main">
      <PageError reloadsDocument />
    </main>
  );
}
