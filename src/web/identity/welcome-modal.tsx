import Play from 'lucide-react/icons/play';
import Smartphone from 'lucide-react/icons/smartphone';
import hero1000 from '../art/hero-1000.webp';
import { Button } from '../ui/button.tsx';
import { DialogText, DialogTitle } from '../ui/dialog-window.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ModalProps } from './account-modals.tsx';

/** After sign-up: the way to the apps (spec §1). A store without a link is left out. */
export function WelcomeModal({ entrance, user, site }: ModalProps) {
  const { ios, android } = site.appLinks;
  const stores = [
    { url: ios, icon: Smartphone, filled: false, line: 'Download on the', name: 'App Store' },
    { url: android, icon: Play, filled: true, line: 'Get it on', name: 'Google Play' },
  ].filter(({ url }) => url);
  return (
    <>
      <div className="modal__art">
        <img src={hero1000} alt="" width={1000} height={538} />
      </div>
      <DialogTitle>{user?.username ? `Welcome, ${user.username}` : 'Welcome'}</DialogTitle>
      <DialogText>
        {stores.length > 0
          ? `Take ${site.siteName} to bed. Your library and queue come with you in the app.`
          : 'Favorites, queue and playlists stay with your account, on every device.'}
      </DialogText>
      {stores.length > 0 && (
        <div className="two mt-6">
          {stores.map(({ url, icon, filled, line, name }) => (
            <a key={name} className="badge" href={url} target="_blank" rel="noopener">
              <Icon of={icon} size={24} filled={filled} />
              <span>
                <small>{line}</small>
                {name}
              </span>
            </a>
          ))}
        </div>
      )}
      <div className="form mt-4!">
        <Button variant="ghost" width="full" onClick={() => entrance.modals.finish()}>
          Keep listening here
        </Button>
      </div>
    </>
  );
}
