/**
 * Registers the service worker once the page has loaded, because only the next visit needs it. Unsupported browsers and
 * plain http work without it.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = () => void import('./installed-app.ts').then((module) => module.register()).catch(() => undefined);
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}
