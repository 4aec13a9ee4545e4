import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { keepInstallOffer } from './identity/install-offer.ts';
import { hearBackFirst } from './player/use-layers.ts';
import { registerServiceWorker } from './shell/service-worker.ts';

keepInstallOffer();
registerServiceWorker();
hearBackFirst();
window.earlyPress?.stop();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
