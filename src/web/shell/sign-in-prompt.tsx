import { createContext, use, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

type Ask = {
  /** What the visitor was about to do, naming the item or feature: `see your Library`, `favorite Bright Star`. */
  to: string;
};

const SignInPromptContext = createContext<((ask: Ask) => void) | undefined>(undefined);

type SignInPromptProviderProps = {
  onLogIn?: (() => void) | undefined;
  onGetStarted?: (() => void) | undefined;
  children: ReactNode;
};

/** Holds the one prompt of the page. Without the callbacks it only says what an account is for. */
export function SignInPromptProvider({ onLogIn, onGetStarted, children }: SignInPromptProviderProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Kept while it closes, so that its words do not change on the way out.
  const [asked, setAsked] = useState<Ask>({ to: '' });

  function leaveFor(action: () => void): () => void {
    return () => {
      setIsOpen(false);
      action();
    };
  }

  return (
    <SignInPromptContext
      value={(ask) => {
        setAsked(ask);
        setIsOpen(true);
      }}
    >
      {children}
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Sign in to ${asked.to}`}
        description="Favorites, queue and playlists stay with your account, on every device."
      >
        {(onLogIn || onGetStarted) && (
          <div className="mt-6 grid gap-2">
            {onGetStarted && (
              <Button variant="primary" size="lg" width="full" onClick={leaveFor(onGetStarted)}>
                Get Started
              </Button>
            )}
            {onLogIn && (
              <Button variant="outline" size="lg" width="full" onClick={leaveFor(onLogIn)}>
                Log in
              </Button>
            )}
          </div>
        )}
      </Dialog>
    </SignInPromptContext>
  );
}

/** @returns a function that asks the visitor to sign in */
export function useSignInPrompt(): (ask: Ask) => void {
  const prompt = use(SignInPromptContext);
  if (prompt === undefined) throw new Error('useSignInPrompt needs a SignInPromptProvider around it');
  return prompt;
}
