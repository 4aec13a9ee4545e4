import { t } from '@lingui/core/macro';
import Check from 'lucide-react/icons/check';
import Compass from 'lucide-react/icons/compass';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import Globe from 'lucide-react/icons/globe';
import MonitorDown from 'lucide-react/icons/monitor-down';
import Share from 'lucide-react/icons/share';
import SquarePlus from 'lucide-react/icons/square-plus';
import type { LucideIcon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { acceptInstallOffer, hasInstallOffer, subscribeInstallOffer } from '../install-offer.ts';
import { type Device, deviceOf } from '../device.ts';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { AppBadges } from './app-badges.tsx';
import type { ModalProps } from './modal-props.ts';

type InstallStep = { picture: LucideIcon; text: string };

const stepsOf: Record<Device, (siteName: string) => InstallStep[]> = {
  iphone: (siteName) => [
    { picture: Share, text: t`Tap Share in the browser’s toolbar.` },
    { picture: SquarePlus, text: t`Choose “Add to Home Screen”.` },
    { picture: Check, text: t`Tap “Add”. ${siteName} is on your home screen now.` },
  ],
  android: (siteName) => [
    { picture: EllipsisVertical, text: t`Open the browser’s menu.` },
    { picture: SquarePlus, text: t`Choose “Install app” or “Add to Home screen”.` },
    { picture: Check, text: t`Tap “Install”. ${siteName} is on your home screen now.` },
  ],
  desktop: (siteName) => [
    { picture: MonitorDown, text: t`Chrome or Edge: press the install button at the end of the address bar.` },
    { picture: Compass, text: t`Safari: open the File menu and choose “Add to Dock”.` },
    { picture: Globe, text: t`Another browser: if its menu has no “Install”, bookmark ${siteName} instead.` },
  ],
};

const titleOf: Record<Device, (siteName: string) => string> = {
  iphone: (siteName) => t`Install ${siteName} on your iPhone`,
  android: (siteName) => t`Install ${siteName} on your phone`,
  desktop: (siteName) => t`Install ${siteName} on this device`,
};

/** "Download our app" of the menus: the stores' badges, or how to install the site. */
export function AppModal(props: ModalProps) {
  const { site, authFlow } = props;
  const { ios, android } = site.appLinks;
  if (ios === undefined && android === undefined) return <InstallModal {...props} />;
  return (
    <>
      <DialogTitle>{t`Download our app`}</DialogTitle>
      <DialogText>{t`Your library and queue come with you in the app.`}</DialogText>
      <AppBadges appLinks={site.appLinks} authFlow={authFlow} />
    </>
  );
}

/** For the current device, with the browser's own install dialog where available. */
export function InstallModal({ site, authFlow }: ModalProps) {
  const { siteName } = site;
  const hasOffer = useSyncExternalStore(subscribeInstallOffer, hasInstallOffer);
  if (matchMedia('(display-mode: standalone)').matches) {
    return (
      <>
        <DialogTitle>{t`${siteName} is installed`}</DialogTitle>
        <DialogText>{t`You are using the app already.`}</DialogText>
      </>
    );
  }
  const device = deviceOf(navigator);
  if (!hasOffer) return <InstallSteps device={device} siteName={siteName} />;
  return (
    <>
      <DialogTitle>{titleOf[device](siteName)}</DialogTitle>
      <DialogText>{t`It opens like an app, without a store. Your library and queue come with you.`}</DialogText>
      <div className="form">
        <Button
          variant="primary"
          width="full"
          onClick={async () => {
            if (await acceptInstallOffer()) authFlow.close();
          }}
        >
          {t`Install`}
        </Button>
      </div>
    </>
  );
}

/** For an iPhone, on any device. */
export function InstallIphoneModal({ site }: ModalProps) {
  return <InstallSteps device="iphone" siteName={site.siteName} />;
}

function InstallSteps({ device, siteName }: { device: Device; siteName: string }) {
  const isHere = device === deviceOf(navigator);
  const { host } = location;
  const steps = stepsOf[device](siteName);
  // On a desktop the rows are choices of browser, not steps.
  const List = device === 'desktop' ? 'ul' : 'ol';
  return (
    <>
      <DialogTitle>{titleOf[device](siteName)}</DialogTitle>
      <DialogText>
        {isHere
          ? t`It opens like an app, without a store. Your library and queue come with you.`
          : t`Open ${host} in Safari on your iPhone, then:`}
      </DialogText>
      <List className="mt-6 grid gap-3">
        {steps.map(({ picture, text }) => (
          <li key={text} className="flex items-center gap-4 leading-[1.45]">
            <span className="grid size-14 flex-none place-items-center rounded-card border border-line bg-overlay text-accent-text">
              <Icon of={picture} size={24} />
            </span>
            {text}
          </li>
        ))}
      </List>
    </>
  );
}
