import type { KeptReason } from '#domain/listening/forms.ts';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import { noWords } from '#formats/content-languages.ts';
import { isForLittleHeard } from '#formats/suggestions/little-heard.ts';
import { language } from '#i18n';
import { createListeners } from '#player/listeners.ts';
import type { Reason, SuggestedCard } from '#suggestions/mix.ts';
import { siteFiles } from '#suggestions/site-files.ts';
import { type Own, createSuggester } from '#suggestions/suggester.ts';
import { answerOf, api } from '#web/api.ts';
import { heardHere, sealed } from './note-listening.ts';

type Suggester = ReturnType<typeof createSuggester>;

let current: { owner: string; viewer: Viewer; suggester: Suggester } | undefined;

/** The suggestions of this listener, the same for all parts of the page. */
export function suggesterOf(viewer: Viewer): Suggester {
  const owner = viewer.kind === 'user' ? viewer.id : '';
  if (current?.owner === owner) {
    current.viewer = viewer;
    return current.suggester;
  }
  const loadOwn = () => (viewer.kind === 'user' ? ofAccount() : ofDevice());
  const suggester = createSuggester({ files: siteFiles(language), owner, sealed, loadOwn });
  current = { owner, viewer, suggester };
  return suggester;
}

/** Audios that playback went on with on this page. */
const offered = new Set<string>();
const places = 10;

/**
 * @returns the next audio of a list that goes on by itself, and roughly why; undefined where the site's own rule knows
 *   more
 */
export async function nextSuggestion(
  viewer: Viewer,
  isLeftOut: (audio: AudioItem) => boolean,
): Promise<{ audio: AudioItem; reason: KeptReason } | undefined> {
  const isOut = (audio: AudioItem) => offered.has(audio.id) || isLeftOut(audio);
  const { items } = await suggesterOf(viewer).suggest(places, isOut);
  const [best] = items;
  // Without neighbours there are only the tags of blocks that were drawn by chance.
  if (best?.reason === undefined || !('heard' in best.reason)) return undefined;
  const place = offered.size % places;
  const { audio, reason } = (isForLittleHeard(place) ? items[place] : undefined) ?? best;
  offered.add(audio.id);
  return { audio, reason: keptReasonOf(reason) };
}

/** All that the site learns of it, with a play that it counts anyway (decision 095). */
function keptReasonOf(reason: Reason | undefined): KeptReason {
  if (reason === undefined) return 'little-heard';
  return 'heard' in reason ? 'near' : reason.kind === 'tag' ? 'tags' : 'little-heard';
}

/** Told when suggestions that are shown were forgotten, to be put together again. */
export const forgotten = createListeners();

/** Removes what this device keeps for suggestions. */
export async function forgetSuggestions(viewer: Viewer): Promise<void> {
  await suggesterOf(viewer).forget();
  if (viewer.kind === 'visitor') await heardHere.clear();
  offered.clear();
}

/** Two calls, the same for each listener. */
async function ofAccount(): Promise<Own> {
  const [heard, hidden] = await Promise.all([answerOf(api.history.me.heard.$get()), answerOf(api.user.hidden.$get())]);
  if (!heard.ok) throw new Error(heard.code);
  if (!hidden.ok) throw new Error(hidden.code);
  const { audios, voices, tags } = hidden.data;
  const ids = new Set([...audios, ...voices].map(({ id }) => id));
  const slugs = new Set(tags.map(({ slug }) => slug));
  return {
    heard: heard.data.items,
    isShown: (card) =>
      isListenedTo(card) &&
      !ids.has(card.id) &&
      !ids.has(card.voice.id) &&
      !card.tags.some(({ slug }) => slugs.has(slug)),
  };
}

function complete(cards: readonly SuggestedCard[]): void {
  void heardHere.complete(cards.map(({ id, number, tags }) => ({ id, number, tags: tags.map(({ slug }) => slug) })));
}

async function ofDevice(): Promise<Own> {
  return { heard: await heardHere.list(), isShown: isListenedTo, complete };
}

function isListenedTo(card: { language: string }): boolean {
  const listensTo = current?.viewer.listensTo;
  const [primary = ''] = card.language.split('-');
  return !listensTo || primary === noWords || listensTo.includes(primary);
}
