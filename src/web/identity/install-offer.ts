import { createListeners } from '#player/listeners.ts';

/** Chromium's offer to install the site (https://wicg.github.io/manifest-incubations/#beforeinstallpromptevent-interface). */
type InstallOffer = Event & { prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }> };

const changes = createListeners();
let offer: InstallOffer | undefined;

function setOffer(next: InstallOffer | undefined): void {
  offer = next;
  changes.emit();
}

/** Call before the page's other scripts: the browser makes its offer once, and early. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setOffer(event as InstallOffer);
  });
  addEventListener('appinstalled', () => setOffer(undefined));
}

export const subscribeInstallOffer = changes.subscribe;

export function hasInstallOffer(): boolean {
  return offer !== undefined;
}

/** Shows the browser's own dialog; an offer can be used once. @returns whether the site was installed */
export async function acceptInstallOffer(): Promise<boolean> {
  const used = offer;
  if (used === undefined) return false;
  setOffer(undefined);
  return (await used.prompt()).outcome === 'accepted';
}
