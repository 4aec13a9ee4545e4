/**
 * Service worker: plays downloads (serve-download.ts) and starts the app offline. Stores built files as they are used; all
 * of them for downloads and the installed app. Calls, other sound and pictures go straight to the network. Built by
 * build.ts, which fills in the constants; the server adds the site's key (http/pages/installable.ts).
 */
import { type Language, splitPrefix } from '#formats/languages.ts';
import { assetIn, folderOf } from '#formats/script-folders.ts';
import { builtFilesOf } from './built-files.ts';
import { forward } from './forward.ts';
import { ownLanguage, ownPrefix } from './own-language.ts';
import { serveDownload } from './serve-download.ts';
import { hasAudioPage, storeAudioPages, readAudioPage } from './stored-audio-pages.ts';
import { downloadsPage, hasFreshPage, hasPage, storePage, readPage } from './stored-page.ts';
import { type SubscriptionChange, openNews, readPush, renewSubscription } from './push.ts';
import { audioPageOf, bypassed, isBuiltFile, isPage, downloadFileOf } from './rules.ts';

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type InstallEvent = ExtendableEvent & {
  /** https://w3c.github.io/ServiceWorker/#install-event-addroutes; not in every browser. */
  addRoutes?(rules: { condition: { or: { urlPattern: string }[] }; source: 'network' }): Promise<void>;
};
type FetchEvent = ExtendableEvent & {
  request: Request;
  respondWith(answer: Promise<Response>): void;
};
type MessageEvent = ExtendableEvent & { data: unknown };
type PushEvent = ExtendableEvent & { data: { text(): string } | null };
type PressEvent = ExtendableEvent & { notification: { close(): void; data: { path: string } } };
type ChangeEvent = ExtendableEvent & SubscriptionChange;
type Worker = {
  location: { origin: string };
  registration: {
    navigationPreload?: { disable(): Promise<void> };
    pushManager: Parameters<typeof renewSubscription>[0];
    showNotification(title: string, options: object): Promise<void>;
  };
  clients: { claim(): Promise<void> } & Parameters<typeof openNews>[0];
  addEventListener(name: 'install', act: (event: InstallEvent) => void): void;
  addEventListener(name: 'activate', act: (event: ExtendableEvent) => void): void;
  addEventListener(name: 'fetch', act: (event: FetchEvent) => void): void;
  addEventListener(name: 'message', act: (event: MessageEvent) => void): void;
  addEventListener(name: 'push', act: (event: PushEvent) => void): void;
  addEventListener(name: 'pushsubscriptionchange', act: (event: ChangeEvent) => void): void;
  addEventListener(name: 'notificationclick', act: (event: PressEvent) => void): void;
};

declare const __BUILD__: string;
declare const __SHELL__: string[];
declare const __PAGES__: string[];
/** Address of React Router's manifest, which every page of this build contains. */
declare const __MANIFEST__: string;
/** In place of an unreadable push, by language. */
declare const __WAITING__: Record<Language, string>;

const worker = globalThis as unknown as Worker;
/** Files and pages of another language or address are as useless as those of another build. */
const build = __BUILD__ + folderOf(ownLanguage) + ownPrefix;
const files = builtFilesOf(build);
const offlinePage = `/offline?language=${ownLanguage}`;
const shell = __SHELL__.map((path) => assetIn(path, ownLanguage));
const pages = __PAGES__.map((path) => assetIn(path, ownLanguage));

worker.addEventListener('install', (event) => {
  // In Chromium, three of four calls of a page that is being left are lost if they pass through a worker.
  const routes = { condition: { or: bypassed.map((urlPattern) => ({ urlPattern })) }, source: 'network' as const };
  void event.addRoutes?.(routes).catch(() => undefined);
  event.waitUntil(install());
});

/** A first visit costs this script and the offline page; the shell's files are those that the page has just loaded. */
async function install(): Promise<void> {
  if (!(await files.addMissing([offlinePage]))) throw new Error('The offline page could not be stored');
  if (!(await hasPage())) return files.addFromBrowserCache(shell);
  // On failure, the previous worker stays active, with the files that its stored page needs.
  if (!(await files.addMissing(shell))) throw new Error('The shell could not be stored');
  await files.addMissing(pages);
  await storePage(build, isOfThisBuild).catch(() => undefined);
}

// A new worker activates when no tab uses the previous one, so its caches can be deleted.
worker.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      files.removeOtherBuilds(),
      // Earlier workers enabled navigation preload, which would send requests twice.
      worker.registration.navigationPreload?.disable(),
      worker.clients.claim(),
    ]),
  );
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin } = worker.location;
  const downloadFile = downloadFileOf(request, origin);
  if (downloadFile !== undefined) event.respondWith(serveDownload(downloadFile, request));
  else if (isBuiltFile(request, origin)) event.respondWith(files.answer(request));
  else if (isPage(request, origin)) event.respondWith(fromNetwork(request));
  else if (audioPageOf(request, origin)?.isData) event.respondWith(dataFromNetwork(request));
});

worker.addEventListener('push', (event) => {
  const { title, body, path, tag } = readPush(event.data?.text(), __WAITING__[ownLanguage]);
  event.waitUntil(worker.registration.showNotification(title, { body, tag, data: { path } }));
});

// After a failure, the next page renews it (push-browser.ts).
worker.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(worker.registration.pushManager, event));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNews(worker.clients, event.notification.data.path, worker.location.origin));
});

// Pages request `keep-page` once they have downloads, so that the app starts offline; `keep-files` in the installed app.
worker.addEventListener('message', (event) => {
  if (event.data === 'keep-files') event.waitUntil(files.addMissing([...shell, ...pages]));
  if (event.data !== 'keep-page') return;
  preparation = preparation.then(prepareStart).catch(() => undefined);
  event.waitUntil(preparation);
});

/** Several tabs may request it at once. */
let preparation = Promise.resolve();

async function prepareStart(): Promise<void> {
  if (!(await files.addMissing(shell))) return;
  await files.addMissing(pages);
  if (!(await hasFreshPage(build))) await storePage(build, isOfThisBuild);
  await storeAudioPages(build, isOfThisBuild);
}

/** A page of another build or language needs files that this worker lacks. */
function isOfThisBuild(html: string): boolean {
  return html.includes(assetIn(__MANIFEST__, ownLanguage));
}

/** Redirects of this worker, whose page is shown at once: the network has just failed to answer. */
const redirected = new Set<string>();

async function fromNetwork(request: Request): Promise<Response> {
  try {
    // A redirect keeps the fragment.
    if (redirected.delete(request.url.replace(/#.*/, ''))) throw new Error('The site has just not answered');
    return await forward(request, async () => (await keepsAudioPage(request)) || hasPage());
  } catch {
    const { pathname, search } = new URL(request.url);
    const { path } = splitPrefix(pathname);
    const audioPage = await keptAudioPage(request);
    const page = audioPage ?? (await readPage().catch(() => undefined));
    if (page === undefined) return (await caches.match(offlinePage)) ?? Response.error();
    const isOwn = audioPage !== undefined || path === downloadsPage;
    // A page works at the address from which it was stored.
    if (isOwn && pathname === ownPrefix + path) return page;
    const wanted = isOwn ? path + search : `${downloadsPage}?${new URLSearchParams({ wanted: path + search })}`;
    const target = new URL(ownPrefix + wanted, request.url).href;
    redirected.add(target);
    return Response.redirect(target);
  }
}

/** The app requests an audio page's data when a link is followed. */
async function dataFromNetwork(request: Request): Promise<Response> {
  try {
    return await forward(request, () => keepsAudioPage(request));
  } catch {
    return (await keptAudioPage(request)) ?? Response.error();
  }
}

async function keepsAudioPage(request: Request): Promise<boolean> {
  const asked = audioPageOf(request, worker.location.origin);
  return asked !== undefined && hasAudioPage(build, asked.slug);
}

async function keptAudioPage(request: Request): Promise<Response | undefined> {
  const asked = audioPageOf(request, worker.location.origin);
  return asked && readAudioPage(build, asked).catch(() => undefined);
}
