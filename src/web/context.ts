import { createContext, RouterContextProvider } from 'react-router';
import type { Viewer } from '#domain/identity/rules.ts';
import type { Site } from '#domain/site.ts';

export type RequestFacts = {
  viewer: Viewer;
  /** For the script and style elements of this one answer. */
  nonce: string;
  preferences: Preferences;
  /** What a loader or the rendering threw goes to the server's log, never to the page. */
  reportError(error: unknown): void;
};

/** What the browser remembers for itself in cookies, so that the first paint is already right. */
export type Preferences = { theme: 'system' | 'dark' | 'light'; discreet: boolean };

export const siteContext = createContext<Site>();
export const requestContext = createContext<RequestFacts>();

export function createLoadContext(site: Site, facts: RequestFacts): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(siteContext, site);
  context.set(requestContext, facts);
  return context;
}
