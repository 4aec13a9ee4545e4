import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Me } from '#domain/identity/accounts.ts';
import { PaymentModal } from '../membership/payment-modal.tsx';
import { SubscribeModal } from '../membership/subscribe-modal.tsx';
import { DialogWindow } from '../ui/dialog-window.tsx';
import type { Entrance } from './entrance.ts';
import { LogInModal } from './log-in-modal.tsx';
import type { ModalName, ModalState } from './modal-state.ts';
import { ResetModal } from './reset-modal.tsx';
import type { AccountSite } from './session-provider.tsx';
import { SignInPrompt } from './sign-in-prompt-modal.tsx';
import { SignUpModal } from './sign-up-modal.tsx';
import { SocialErrorModal } from './social-error-modal.tsx';
import { UsernameModal } from './username-modal.tsx';
import { WelcomeModal } from './welcome-modal.tsx';

/** What each modal is given. */
export type ModalProps = {
  state: ModalState;
  entrance: Entrance;
  user: Me | null;
  site: AccountSite;
  /** The username is saved; resolves when the page shows it. */
  onNamed: (saved: Me) => Promise<void>;
  /** The payment is through; resolves when the page knows. */
  onSubscribed: () => Promise<void>;
};

const modals: Record<ModalName, (props: ModalProps) => ReactNode> = {
  'sign-in-prompt': SignInPrompt,
  'log-in': LogInModal,
  'sign-up': SignUpModal,
  username: UsernameModal,
  reset: ResetModal,
  'social-error': SocialErrorModal,
  welcome: WelcomeModal,
  subscribe: SubscribeModal,
  payment: PaymentModal,
};

/** The one window of them all: going from one to another changes what is in it. Fetched when the first one is opened. */
export function AccountModals(props: ModalProps) {
  const { state, entrance } = props;
  const { modal } = state;
  const isOpen = modal !== undefined;
  // Stays while it closes, so that nothing changes on the way out.
  const [last, setLast] = useState({ modal, props });
  if (isOpen && (last.modal !== modal || last.props !== props)) setLast({ modal, props });
  const content = useRef<HTMLDivElement>(null);
  const openedBy = useRef<HTMLElement | null>(null);
  const shown = useRef<ModalName | undefined>(undefined);

  useEffect(() => {
    const before = shown.current;
    shown.current = modal;
    if (before === undefined || modal === undefined || before === modal) return;
    const window = content.current?.parentElement;
    if (window) (firstField(window) ?? window).focus();
  }, [modal]);

  const Modal = last.modal && modals[last.modal];
  return (
    <DialogWindow
      open={isOpen}
      onClose={entrance.close}
      // Nothing typed is lost, and the bank's own window stands beside it.
      dismissedBy={last.modal === 'payment' ? 'button' : 'backdrop'}
      initialFocus={(window) => {
        openedBy.current = openerOf(document.activeElement);
        return firstField(window);
      }}
      // Logged in, the header has other buttons than the one that opened it.
      finalFocus={() => {
        const opener = openedBy.current;
        if (opener?.isConnected && opener !== document.body) return opener;
        return document.querySelector<HTMLElement>('.hd__av') ?? undefined;
      }}
    >
      <div ref={content}>{Modal && <Modal key={last.modal} {...last.props} />}</div>
    </DialogWindow>
  );
}

/** What had the focus; of an item in a menu, which is gone by now, the menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menuButton ? document.getElementById(menuButton) : focused;
  return opener instanceof HTMLElement ? opener : null;
}

/** Where typing can begin at once; on touch screens it would bring up the keyboard over what is to be read first. */
function firstField(window: HTMLElement): HTMLElement | undefined {
  if (!matchMedia('(pointer: fine)').matches) return window;
  return window.querySelector<HTMLElement>('input') ?? undefined;
}
