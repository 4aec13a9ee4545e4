import { language } from '#i18n';
import { sourceLanguage } from '#formats/languages.ts';
import { savesData } from '#player/network.ts';

const isInstalled = '(display-mode: standalone), (display-mode: fullscreen), (display-mode: minimal-ui)';

/** One worker for a site: that of another language replaces it. */
const workerAddress = `/service-worker.js${language() === sourceLanguage ? '' : `?language=${language()}`}`;

/** The installed app starts offline: each worker, also one that waits with a new build, stores all of its files. */
export async function register(): Promise<void> {
  // Safari has no idle callbacks.
  await new Promise<unknown>((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
  const registration = await navigator.serviceWorker.register(workerAddress);
  const keepFiles = () => {
    for (const worker of [registration.installing, registration.waiting, registration.active])
      worker?.postMessage('keep-files');
  };
  window.addEventListener('appinstalled', keepFiles);
  if (!matchMedia(isInstalled).matches || savesData()) return;
  keepFiles();
  registration.addEventListener('updatefound', keepFiles);
}
