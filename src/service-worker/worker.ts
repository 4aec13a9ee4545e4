/**
 * Runs beside the pages: keeps the built files, whose names say their content, and one page for when there is no
 * connection. Pages, calls, sound, pictures and ranges go to the network as if it were not there, and are never kept.
 * Sent to browsers with its types taken out and the two values below put in (http/installable.ts).
 */
import { openNews, readPush } from './push.ts';
import { bypassed, isKept, isPage } from './rules.ts';

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type InstallEvent = ExtendableEvent & {
  /** https://w3c.github.io/ServiceWorker/#install-event-addroutes; not in every browser. */
  addRoutes?(rules: { condition: { or: { urlPattern: string }[] }; source: 'network' }): Promise<void>;
};
type FetchEvent = ExtendableEvent & {
  request: Request;
  respondWith(answer: Promise<Response>): void;
};
type PushEvent = ExtendableEvent & { data: { text(): string } | null };
type PressEvent = ExtendableEvent & { notification: { close(): void; data: { path: string } } };
type Worker = {
  location: { origin: string };
  registration: {
    navigationPreload?: { disable(): Promise<void> };
    showNotification(title: string, options: object): Promise<void>;
  };
  clients: { claim(): Promise<void> } & Parameters<typeof openNews>[0];
  addEventListener(name: 'install', act: (event: InstallEvent) => void): void;
  addEventListener(name: 'activate', act: (event: ExtendableEvent) => void): void;
  addEventListener(name: 'fetch', act: (event: FetchEvent) => void): void;
  addEventListener(name: 'push', act: (event: PushEvent) => void): void;
  addEventListener(name: 'notificationclick', act: (event: PressEvent) => void): void;
};

const worker = globalThis as unknown as Worker;
/** Each build has its own. */
const cacheName = 'sotto-shell-__BUILD__';
const offlinePage = '/offline';
const shell = JSON.parse('__SHELL__') as string[];

worker.addEventListener('install', (event) => {
  // In Chromium, three of four calls that a page makes while it is left are lost if they pass through a worker.
  const routes = { condition: { or: bypassed.map((urlPattern) => ({ urlPattern })) }, source: 'network' as const };
  void event.addRoutes?.(routes).catch(() => undefined);
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll([offlinePage, ...shell])));
});

// A new worker activates when no tab uses the former one, so its caches can be deleted.
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
      // Former workers enabled navigation preload, which would send requests twice.
      worker.registration.navigationPreload?.disable(),
      worker.clients.claim(),
    ]),
  );
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (isKept(request, worker.location.origin)) event.respondWith(fromCache(request));
  else if (isPage(request, worker.location.origin)) event.respondWith(fromNetwork(request));
});

worker.addEventListener('push', (event) => {
  const { title, body, path, tag } = readPush(event.data?.text());
  event.waitUntil(worker.registration.showNotification(title, { body, tag, data: { path } }));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNews(worker.clients, event.notification.data.path, worker.location.origin));
});

async function fromCache(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  // Answer even if the disk is full.
  if (answer.status === 200) void cache.put(request.url, answer.clone()).catch(() => undefined);
  return answer;
}

async function fromNetwork(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(offlinePage)) ?? Response.error();
  }
}
