import type { Listening, Viewer } from '../kernel/viewer.ts';

/** Languages that a listener listens to, as `ListeningInput` takes them. */
export type ListeningChoice = {
  /** Primary subtags; null: all. */
  listensTo: string[] | null;
  /** Comments in other languages are not shown. */
  hidesOtherComments: boolean;
};

/** A browser without a user has that choice in this cookie, which also applies to users who have not chosen. */
export const listeningCookie = 'sotto_listens';

/** Follows the languages in the cookie; no primary subtag is that long. */
const onlyMark = 'only';
const cookiePattern = new RegExp(
  `(?:^|;\\s*)${listeningCookie}=([a-z]{2,3}(?:\\.[a-z]{2,3}){0,49})(\\.${onlyMark})?(?:;|$)`,
);

/** The choice of these languages among all: null if it is all of them, which includes those that the site gets later. */
export function unlessAll(chosen: string[], all: readonly string[]): string[] | null {
  return all.every((language) => chosen.includes(language)) ? null : chosen;
}

/** @returns undefined for a choice that is none, which deletes the cookie */
export function listeningToCookie({ listensTo, hidesOtherComments }: ListeningChoice): string | undefined {
  return listensTo === null ? undefined : [...listensTo, ...(hidesOtherComments ? [onlyMark] : [])].join('.');
}

/** @param cookies the Cookie header @returns in one order, as caches have it in their keys */
export function listeningOfCookies(cookies: string): Listening {
  const [, languages, mark] = cookies.includes(listeningCookie) ? (cookiePattern.exec(cookies) ?? []) : [];
  if (languages === undefined) return {};
  return listeningIn({
    listensTo: [...new Set(languages.split('.'))].toSorted(),
    hidesOtherComments: mark !== undefined,
  });
}

/** For the keys of caches; empty without a choice. */
export function keyOfListening(listening: Listening | undefined): string {
  return !listening?.listensTo ? '' : ` ${JSON.stringify(listening)}`;
}

/** A user who has not chosen, and a visitor, have the choice of the browser. */
export function withListening<One extends Viewer>(viewer: One, ofBrowser: Listening | undefined): One {
  return viewer.listensTo === undefined && ofBrowser?.listensTo ? { ...viewer, ...ofBrowser } : viewer;
}

/** The choice as a viewer has it. */
export function listeningIn({ listensTo, hidesOtherComments }: Partial<ListeningChoice>): Listening {
  if (listensTo === undefined) return {};
  return { listensTo, ...(listensTo !== null && hidesOtherComments === true && { readsOnly: listensTo }) };
}
