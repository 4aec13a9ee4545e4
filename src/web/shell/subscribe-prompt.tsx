import { createContext, use } from 'react';
import type { ReactNode } from 'react';

type Wish = {
  /** Title of the audio that was pressed. */
  name?: string | undefined;
  /** What was pressed: happens once there is a subscription. */
  act?: (() => void) | undefined;
};

type AskToSubscribe = (wish?: Wish) => void;

const SubscribePromptContext = createContext<AskToSubscribe | undefined>(undefined);

/** @param props.ask opens the one subscribe banner of the page; stays the same function */
export function SubscribePromptProvider({ ask, children }: { ask: AskToSubscribe; children: ReactNode }) {
  return <SubscribePromptContext value={ask}>{children}</SubscribePromptContext>;
}

/** @returns a function that opens the subscribe banner */
export function useSubscribePrompt(): AskToSubscribe {
  const ask = use(SubscribePromptContext);
  if (ask === undefined) throw new Error('useSubscribePrompt needs a SubscribePromptProvider around it');
  return ask;
}
