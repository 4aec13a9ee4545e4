import { createContext, use } from 'react';
import type { ReactNode } from 'react';

type SubscribeRequest = {
  /** Title of the pressed audio. */
  name?: string | undefined;
  /** The pressed action: runs once the user has a subscription. */
  act?: (() => void) | undefined;
};

type AskToSubscribe = (request?: SubscribeRequest) => void;

const SubscribePromptContext = createContext<AskToSubscribe | undefined>(undefined);

/** @param props.ask opens the page’s only subscribe banner; must be a stable function */
export function SubscribePromptProvider({ ask, children }: { ask: AskToSubscribe; children: ReactNode }) {
  return <SubscribePromptContext value={ask}>{children}</SubscribePromptContext>;
}

/** @returns a function that opens the subscribe banner */
export function useSubscribePrompt(): AskToSubscribe {
  const ask = use(SubscribePromptContext);
  if (ask === undefined) throw new Error('useSubscribePrompt needs a SubscribePromptProvider around it');
  return ask;
}
