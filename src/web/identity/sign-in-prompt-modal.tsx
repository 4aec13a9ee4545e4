import { Button } from '../ui/button.tsx';
import { Cover } from '../ui/cover.tsx';
import { DialogText, DialogTitle } from '../ui/dialog-window.tsx';
import type { ModalProps } from './account-modals.tsx';

/** Says what an account is for, naming what was pressed; that happens once the visitor is in. */
export function SignInPrompt({ state, entrance }: ModalProps) {
  const { to = '', imageUrl } = state.prompt ?? {};
  return (
    <>
      {imageUrl ? (
        <div className="flex items-center gap-4 pr-8">
          <Cover imageUrl={imageUrl} size={72} />
          <DialogTitle className="p-0! text-26!">Sign in to {to}</DialogTitle>
        </div>
      ) : (
        <DialogTitle>Sign in to {to}</DialogTitle>
      )}
      <DialogText>Favorites, playlists and your queue need a free account.</DialogText>
      <div className="form">
        <Button variant="primary" size="lg" width="full" onClick={() => entrance.goTo('sign-up')}>
          Get Started
        </Button>
        <Button variant="outline" size="lg" width="full" onClick={() => entrance.goTo('log-in')}>
          Log in
        </Button>
      </div>
    </>
  );
}
