import type { Audio, AudioItem } from '#domain/catalogue/audios.ts';
import type { Page } from '#domain/kernel/pages.ts';

const items = new WeakMap<Audio, AudioItem>();
const lists = new WeakMap<Audio[], AudioItem[]>();

/** For loaders, which send a third less this way. The same object for the same audio, which cached HTML needs (cached-parts.ts). */
export function toAudioItem(audio: Audio): AudioItem {
  const known = items.get(audio);
  if (known !== undefined) return known;
  const {
    categoriesResource: _categories,
    commentsDisabled: _disabled,
    hasTranscript: _transcript,
    publishedAt: _published,
    tags: _tags,
    totalComments: _comments,
    totalFavorite: _favorites,
    voiceTypeLabel: _type,
    ...kept
  } = audio;
  items.set(audio, kept);
  return kept;
}

/** `toAudioItem` of each; the same array for the same array. */
export function toAudioItems(audios: Audio[]): AudioItem[] {
  const known = lists.get(audios);
  if (known !== undefined) return known;
  const made = audios.map(toAudioItem);
  lists.set(audios, made);
  return made;
}

const pages = new WeakMap<Page<Audio>, Page<AudioItem>>();

/** `toAudioItems` of a page; the same object for the same page. */
export function toAudioItemPage(page: Page<Audio>): Page<AudioItem> {
  const known = pages.get(page);
  if (known !== undefined) return known;
  const made = { ...page, items: toAudioItems(page.items) };
  pages.set(page, made);
  return made;
}
