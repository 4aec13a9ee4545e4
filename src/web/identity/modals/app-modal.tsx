import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { AppBadges } from './app-badges.tsx';
import type { ModalProps } from './modal-props.ts';
import { InstallModal } from './install-modal.tsx';

/** "Download our app" of the menus: the stores' badges, or how to install the site. */
export function AppModal(props: ModalProps) {
  const { site, authFlow } = props;
  const { ios, android } = site.appLinks;
  if (ios === undefined && android === undefined) return <InstallModal {...props} />;
  return (
    <>
      <DialogTitle>Download our app</DialogTitle>
      <DialogText>Your library and queue come with you in the app.</DialogText>
      <AppBadges appLinks={site.appLinks} authFlow={authFlow} />
    </>
  );
}
