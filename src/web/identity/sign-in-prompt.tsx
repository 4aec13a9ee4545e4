import { createContext, use } from 'react';
import type { ReactNode } from 'react';

type Ask = {
  /** End of “Sign in to …”, naming the item or feature: `see your Library`, `keep “Bright Star”`. */
  to: string;
  /** The pressed action: runs after the log-in, and at once for logged-in users. */
  act?: (() => void) | undefined;
  /** Cover of the item. */
  imageUrl?: string | null | undefined;
  /** Title of an audio that needs a subscription, not only an account. */
  lockedTitle?: string | undefined;
};

type AskToSignIn = (ask: Ask) => void;

const SignInPromptContext = createContext<AskToSignIn | undefined>(undefined);

/** @param props.ask opens the page’s only prompt; must be a stable function */
export function SignInPromptProvider({ ask, children }: { ask: AskToSignIn; children: ReactNode }) {
  return <SignInPromptContext value={ask}>{children}</SignInPromptContext>;
}

/** @returns a function that opens the sign-in prompt */
export function useSignInPrompt(): AskToSignIn {
  const prompt = use(SignInPromptContext);
  if (prompt === undefined) throw new Error('useSignInPrompt needs a SignInPromptProvider around it');
  return prompt;
}
