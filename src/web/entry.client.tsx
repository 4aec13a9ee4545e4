import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { keepInstallOffer } from './identity/install-offer.ts';
import { stopKeepingEarlyPress } from './shell/early-press.ts';
import { registerServiceWorker } from './shell/service-worker.ts';

keepInstallOffer();
registerServiceWorker();
stopKeepingEarlyPress();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
