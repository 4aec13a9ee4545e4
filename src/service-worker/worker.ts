/**
 * Service worker: stores the built files of its build, plays downloads (serve-download.ts), and starts the app offline. Calls,
 * other sound and pictures go straight to the network. Built by build.ts, which fills in the constants; the server adds
 * the site's key (http/installable.ts).
 */
import { serveDownload } from './serve-download.ts';
import { storeAudioPages, readAudioPage } from './stored-audio-pages.ts';
import { downloadsPage, hasFreshPage, storePage, readPage } from './stored-page.ts';
import { openNews, readPush } from './push.ts';
import { audioPageOf, bypassed, isBuiltFile, isPage, keptFileOf } from './rules.ts';

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
type Worker = {
  location: { origin: string };
  navigator: { connection?: { saveData?: boolean } };
  registration: {
    navigationPreload?: { disable(): Promise<void> };
    showNotification(title: string, options: object): Promise<void>;
  };
  clients: { claim(): Promise<void> } & Parameters<typeof openNews>[0];
  addEventListener(name: 'install', act: (event: InstallEvent) => void): void;
  addEventListener(name: 'activate', act: (event: ExtendableEvent) => void): void;
  addEventListener(name: 'fetch', act: (event: FetchEvent) => void): void;
  addEventListener(name: 'message', act: (event: MessageEvent) => void): void;
  addEventListener(name: 'push', act: (event: PushEvent) => void): void;
  addEventListener(name: 'notificationclick', act: (event: PressEvent) => void): void;
};

declare const __BUILD__: string;
declare const __SHELL__: string[];
declare const __PAGES__: string[];
/** Address of React Router's manifest, which every page of this build contains. */
declare const __MANIFEST__: string;

const worker = globalThis as unknown as Worker;
/** Each build has its own cache. */
const cacheName = `sotto-shell-${__BUILD__}`;
const offlinePage = '/offline';
const shell = __SHELL__;
const pages = __PAGES__;

worker.addEventListener('install', (event) => {
  // In Chromium, three of four calls of a page that is being left are lost if they pass through a worker.
  const routes = { condition: { or: bypassed.map((urlPattern) => ({ urlPattern })) }, source: 'network' as const };
  void event.addRoutes?.(routes).catch(() => undefined);
  event.waitUntil(install());
});

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([offlinePage, ...shell]);
  const page = await readPage();
  if (page !== undefined || worker.navigator.connection?.saveData !== true) await addMissing(pages);
  // The previous build's page needs that build's files.
  if (page !== undefined) await storePage(__BUILD__, isOfThisBuild).catch(() => undefined);
}

// A new worker activates when no tab uses the previous one, so its caches can be deleted.
worker.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      caches
        .keys()
        .then((names) =>
          Promise.all(
            names
              .filter((name) => name.startsWith('sotto-shell-') && name !== cacheName)
              .map((name) => caches.delete(name)),
          ),
        ),
      // Earlier workers enabled navigation preload, which would send requests twice.
      worker.registration.navigationPreload?.disable(),
      worker.clients.claim(),
    ]),
  );
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin } = worker.location;
  const kept = keptFileOf(request, origin);
  if (kept !== undefined) event.respondWith(serveDownload(kept, request));
  else if (isBuiltFile(request, origin)) event.respondWith(fromCache(request));
  else if (isPage(request, origin)) event.respondWith(fromNetwork(request));
  else if (audioPageOf(request, origin)?.isData) event.respondWith(dataFromNetwork(request));
});

worker.addEventListener('push', (event) => {
  const { title, body, path, tag } = readPush(event.data?.text());
  event.waitUntil(worker.registration.showNotification(title, { body, tag, data: { path } }));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNews(worker.clients, event.notification.data.path, worker.location.origin));
});

// The page requests it once it has downloads, so that the app starts offline.
worker.addEventListener('message', (event) => {
  if (event.data !== 'keep-page') return;
  preparing = preparing.then(prepareStart).catch(() => undefined);
  event.waitUntil(preparing);
});

/** Several tabs may request it at once. */
let preparing = Promise.resolve();

async function prepareStart(): Promise<void> {
  await addMissing(pages);
  if (!(await hasFreshPage(__BUILD__))) await storePage(__BUILD__, isOfThisBuild);
  await storeAudioPages(__BUILD__, isOfThisBuild);
}

/** A page of another build needs files that this worker lacks. */
function isOfThisBuild(html: string): boolean {
  return html.includes(__MANIFEST__);
}

/** One after the other, because these matter less than what the page is loading. */
async function addMissing(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  for (const path of paths) if (!there.has(path)) await cache.add(path).catch(() => undefined);
}

async function fromCache(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  // Respond even if the disk is full.
  if (answer.status === 200) void cache.put(request.url, answer.clone()).catch(() => undefined);
  return answer;
}

async function fromNetwork(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    const audioPage = await keptAudioPage(request);
    if (audioPage !== undefined) return audioPage;
    const { pathname, search } = new URL(request.url);
    const page = await readPage().catch(() => undefined);
    if (page === undefined) return (await caches.match(offlinePage)) ?? Response.error();
    if (pathname === downloadsPage) return page;
    return Response.redirect(`${downloadsPage}?${new URLSearchParams({ wanted: pathname + search })}`);
  }
}

/** The app requests an audio page's data when a link is followed. */
async function dataFromNetwork(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await keptAudioPage(request)) ?? Response.error();
  }
}

async function keptAudioPage(request: Request): Promise<Response | undefined> {
  const asked = audioPageOf(request, worker.location.origin);
  return asked && readAudioPage(__BUILD__, asked).catch(() => undefined);
}
