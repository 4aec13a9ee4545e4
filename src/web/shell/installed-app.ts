import { savesData } from '#player/network.ts';

const isInstalled = '(display-mode: standalone), (display-mode: fullscreen), (display-mode: minimal-ui)';

/** The installed app starts offline: each worker, also one that waits with a new build, stores all of its files. */
export async function register(): Promise<void> {
  // Safari has no idle callbacks.
  await new Promise<unknown>((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
  const registration = await navigator.serviceWorker.register('/service-worker.js');
  const keepFiles = () => {
    for (const worker of [registration.installing, registration.waiting, registration.active])
      worker?.postMessage('keep-files');
  };
  window.addEventListener('appinstalled', keepFiles);
  if (!matchMedia(isInstalled).matches || savesData()) return;
  keepFiles();
  registration.addEventListener('updatefound', keepFiles);
}
