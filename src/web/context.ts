import { createContext, RouterContextProvider } from 'react-router';
import type { CommentOrder } from '#domain/catalogue/rules.ts';
import type { Language } from '#formats/languages.ts';
import type { Preferences as Switches } from '#domain/identity/preference-rules.ts';
import type { Listening, Viewer } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import type { AgePage } from './age/age-page.ts';
import type { HtmlPiece } from './keep-html.tsx';

/** Fields of a form that was sent without JavaScript, and those that are missing or wrong. */
export type SentForm = {
  values: Readonly<Record<string, string>>;
  faults: readonly string[];
  /** Why it was refused as a whole. */
  failure?: string | undefined;
};

export type RequestFacts = {
  /** Without their choice of languages where the address asks for all. */
  viewer: Viewer;
  /** Languages that the viewer listens to, if they have chosen, on a page of all languages too. */
  listensTo?: readonly string[] | undefined;
  /** Marks the scripts of this response, which the policy then allows by their hashes. */
  nonce: string;
  preferences: Preferences;
  /** The page is in it. */
  language: Language;
  /** Client address, for rate limits; `any` when the rendered page is cached for everyone. */
  address: string;
  /** For the pages of the age check. */
  age?: AgePage | undefined;
  /** An operator sees the site as a visitor from there. */
  seenAs?: { region: string | undefined } | undefined;
  /** The page reports this failure, whatever its route. */
  outage?: Error | undefined;
  /** A form that was sent with faults. */
  form?: SentForm | undefined;
  /** Status of a request that is refused before its page is rendered; the page shows the refusal. */
  refusal?: number;
  /**
   * Whether a page with this data was kept: then it is not rendered.
   * @param data the loaders' data as the router encodes it
   */
  isKept(data: string): boolean;
  /**
   * Receives a rendered document; the response then has no body.
   * @param data as in `isKept`; undefined for a page without scripts
   */
  takeHtml(pieces: HtmlPiece[], data: string | undefined): void;
  /** Id of this request in the log, and on failed pages of Admin and Studio. */
  requestId: string;
  /** Logs errors of loaders and rendering on the server; the page never shows them. */
  reportError(error: unknown): void;
};

/** Preferences of this browser, in cookies, so that the first paint already uses them. */
export type Preferences = Switches & {
  theme: 'system' | 'dark' | 'light';
  /** The language that was chosen in this browser. */
  language?: Language | undefined;
  /** The languages of audios that were chosen in this browser; absent: all. */
  listening?: Listening | undefined;
  /** Chosen in this browser; absent: as each creator has it. */
  commentOrder?: CommentOrder | undefined;
  /** IANA name; users only. */
  timeZone?: string | undefined;
};

export const siteContext = createContext<Site>();
export const requestContext = createContext<RequestFacts>();

export function createLoadContext(site: Site, facts: RequestFacts): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(siteContext, site);
  context.set(requestContext, facts);
  return context;
}
