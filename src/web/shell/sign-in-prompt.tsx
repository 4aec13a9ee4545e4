import { createContext, use } from 'react';
import type { ReactNode } from 'react';

type Ask = {
  /** What the visitor was about to do, naming the item or feature: `see your Library`, `keep “Bright Star”`. */
  to: string;
  /** What was pressed: happens once they are in, and at once for those who are. */
  act?: (() => void) | undefined;
  /** Cover of what it is about. */
  imageUrl?: string | null | undefined;
};

type AskToSignIn = (ask: Ask) => void;

const SignInPromptContext = createContext<AskToSignIn | undefined>(undefined);

/** @param props.ask opens the one prompt of the page; stays the same function */
export function SignInPromptProvider({ ask, children }: { ask: AskToSignIn; children: ReactNode }) {
  return <SignInPromptContext value={ask}>{children}</SignInPromptContext>;
}

/** @returns a function that asks the visitor to sign in */
export function useSignInPrompt(): AskToSignIn {
  const prompt = use(SignInPromptContext);
  if (prompt === undefined) throw new Error('useSignInPrompt needs a SignInPromptProvider around it');
  return prompt;
}
