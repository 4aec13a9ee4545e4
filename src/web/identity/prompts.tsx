import { createContext, use } from 'react';
import type { Ask, SubscribeRequest } from './auth-flow.ts';

type Prompts = {
  ask(request: Ask): void;
  askToSubscribe(request?: SubscribeRequest): void;
};

/** The page’s only prompt and subscribe banner; stable functions. */
export const PromptsContext = createContext<Prompts | undefined>(undefined);

function usePrompts(): Prompts {
  const prompts = use(PromptsContext);
  if (prompts === undefined) throw new Error('A prompt needs a SessionProvider around it');
  return prompts;
}

/** @returns a function that asks visitors to sign in, and runs the pressed action after it; at once for users */
export const useSignInPrompt = () => usePrompts().ask;

/** @returns a function that opens the subscribe banner, and runs the pressed action once the user has subscribed */
export const useSubscribePrompt = () => usePrompts().askToSubscribe;
