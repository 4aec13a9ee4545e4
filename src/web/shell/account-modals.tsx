import { type ReactNode, useEffect, useRef, useState } from 'react';
import { routePath } from '../ui/route-path.ts';
import { PaymentModal } from '../membership/payment-modal.tsx';
import { PromoCodeNote } from '../membership/price-preview.tsx';
import { SubscribeModal } from '../membership/subscribe-modal.tsx';
import { DialogWindow } from '../ui/layers/dialog-window.tsx';
import { AgeModal } from '../age/age-modal.tsx';
import type { SignUpSource } from '#domain/identity/rules.ts';
import { sharedSourceOf } from '../analytics/shared-link.ts';
import { accountDraft } from '../identity/modals/account-draft.ts';
import { AppModal, InstallIphoneModal, InstallModal } from '../identity/modals/install-modal.tsx';
import { LogInModal } from '../identity/modals/log-in-modal.tsx';
import type { ModalProps, ModalWindowProps } from '../identity/modals/modal-props.ts';
import type { ModalName } from '../identity/modals/modal-state.ts';
import { ResetModal } from '../identity/modals/reset-modal.tsx';
import { SignInPrompt } from '../membership/sign-in-prompt-modal.tsx';
import { signUpSourceOf } from '../identity/modals/sign-up-source.ts';
import { SignUpModal } from '../identity/modals/sign-up-modal.tsx';
import { useIsOn } from '../root-data.ts';
import { SocialErrorModal } from '../identity/modals/social-error-modal.tsx';
import { UsernameModal } from '../identity/modals/username-modal.tsx';
import { WelcomeModal } from '../identity/modals/welcome-modal.tsx';
import '../styles/membership.css';

const modals: Record<ModalName, (props: ModalProps) => ReactNode> = {
  age: AgeModal,
  'sign-in-prompt': SignInPrompt,
  'log-in': LogInModal,
  'sign-up': SignUpModal,
  username: UsernameModal,
  reset: ResetModal,
  'social-error': SocialErrorModal,
  welcome: WelcomeModal,
  app: AppModal,
  install: InstallModal,
  'install-iphone': InstallIphoneModal,
  subscribe: SubscribeModal,
  payment: PaymentModal,
};

/** Windows in which a sign-up can begin. */
const signUpModals: readonly ModalName[] = ['sign-in-prompt', 'subscribe', 'sign-up', 'log-in'];

function sourceOf(state: ModalWindowProps['state']): SignUpSource {
  const isSharedLink = sharedSourceOf(window.location) !== undefined;
  return signUpSourceOf(state, { pathname: routePath(window.location.pathname), isSharedLink });
}

/** One window for all modals: switching modals changes its content. Its code loads when the first one opens. */
export function AccountModals(props: ModalWindowProps) {
  const { state, authFlow } = props;
  const { modal } = state;
  const takesAccounts = useIsOn('signUp');
  const isOpen = modal !== undefined;
  // Keeps the content during the closing animation.
  const [last, setLast] = useState({ modal, props });
  if (isOpen && (last.modal !== modal || last.props !== props)) setLast({ modal, props });
  // A social account chooses its username after the window that it began in has closed.
  const [source, setSource] = useState<SignUpSource>();
  const sourceNow = modal !== undefined && signUpModals.includes(modal) ? sourceOf(state) : source;
  if (sourceNow !== source) setSource(sourceNow);
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

  const Modal = last.modal && modals[last.modal === 'sign-up' && !takesAccounts ? 'log-in' : last.modal];
  return (
    <DialogWindow
      open={isOpen}
      onClose={(how) => {
        if (how === 'button') accountDraft.clear();
        authFlow.close();
      }}
      // Keeps typed text, and the bank's own window in view.
      dismissedBy={last.modal === 'age' ? 'answer' : last.modal === 'payment' ? 'button' : 'backdrop'}
      initialFocus={(window) => {
        openedBy.current = openerOf(document.activeElement);
        return firstField(window);
      }}
      // After a log-in, the header no longer has the button that opened the window.
      finalFocus={() => {
        // The action that waited for the log-in may have focused a field already.
        const focused = document.activeElement;
        if (focused instanceof HTMLElement && focused !== document.body && !focused.closest('[data-modal]'))
          return focused;
        const opener = openedBy.current;
        if (opener?.isConnected && opener !== document.body) return opener;
        return document.querySelector<HTMLElement>('[data-account-menu]') ?? undefined;
      }}
    >
      <div ref={content}>
        {Modal && <Modal key={last.modal} {...last.props} promoCodeNote={<PromoCodeNote />} source={source} />}
      </div>
    </DialogWindow>
  );
}

/** The focused element or, for a menu item, which is gone by now, the menu’s button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menuButton ? document.getElementById(menuButton) : focused;
  return opener instanceof HTMLElement ? opener : null;
}

/** First text field. Not on touch screens: the keyboard would cover the text above it. */
function firstField(window: HTMLElement): HTMLElement | undefined {
  if (!matchMedia('(pointer: fine)').matches) return window;
  return window.querySelector<HTMLElement>('input:not([type=hidden])') ?? undefined;
}
