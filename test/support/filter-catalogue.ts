import { sql } from 'drizzle-orm';
import { seededRandom } from '#demo/random.ts';
import { lengthClasses } from '#domain/catalogue/filters/rules.ts';
import type { AudioFilter, AudioSort } from '#domain/catalogue/forms.ts';
import {
  type SyntheticVoice,
  type VoiceType,
  syntheticVoices,
  voiceTypeLabels,
  voiceTypes,
} from '#domain/catalogue/rules.ts';
import { audioCategories, audios, audioTags, facets, tags } from '#domain/catalogue/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newId, sortKey } from '#domain/kernel/ids.ts';
import { createCategory, createVoice } from './factories.ts';

/** A published audio as a filter in JavaScript sees it. */
export type FilteredAudio = {
  id: string;
  time: number;
  plays: number;
  title: string;
  ms: number;
  tags: string[];
  categoryId: string;
  voiceId: string;
  voiceType: VoiceType;
  /** Primary subtag. */
  language: string;
  syntheticVoice: SyntheticVoice;
  isFree: boolean;
};

const minute = 60_000;
/** At and beside the limits of the classes. */
const lengths = [1, 9.99, 10, 15, 19.99, 20, 39.99, 40, 90].map((minutes) => Math.round(minutes * minute));
const languages = ['en', 'de-CH', 'de', 'fr', 'pt-BR', 'zxx'];
export const facetTags = { who: ['f4m', 'm4f', 'f4f', 'm4m'], mood: ['tender', 'playful', 'stern', 'dark', 'slow'] };
export const looseTags = ['rain', 'sea', 'night', 'letters', 'death', 'poems'];
const facetOf = (tag: string) => Object.entries(facetTags).find(([, own]) => own.includes(tag))?.[0] ?? tag;

/** A catalogue in which each property is often and seldom beside the others, with drafts and scheduled audios. */
export async function createFilterCatalogue(db: Db, size: number) {
  const random = seededRandom(1);
  const draw = <Item>(items: readonly Item[]) => items[Math.floor(random() ** 2 * items.length)] as Item;
  const [first, second] = [await createCategory(db), await createCategory(db)];
  const categoryIds = [first.id, second.id];
  const voices: { id: string; voiceType: VoiceType }[] = [];
  for (const voiceType of [...voiceTypes, ...voiceTypes])
    voices.push({ id: (await createVoice(db, { voiceTypeLabel: voiceTypeLabels[voiceType] })).id, voiceType });
  const tagIds = new Map([...Object.values(facetTags).flat(), ...looseTags].map((slug) => [slug, newId()]));
  const facetIds = new Map(Object.keys(facetTags).map((slug) => [slug, newId()]));
  await db
    .insert(facets)
    .values(
      [...facetIds].map(([slug, id], position) => ({ id, slug, label: slug, position, chooses: 'many' as const })),
    );
  await db.insert(tags).values(
    [...tagIds].map(([slug, id], position) => ({
      id,
      slug,
      label: slug,
      position,
      facetId: facetIds.get(facetOf(slug)) ?? null,
    })),
  );

  const made: FilteredAudio[] = [];
  const rows: (typeof audios.$inferInsert)[] = [];
  const all: FilteredAudio[] = [];
  for (let n = 0; n < size; n += 1) {
    const [voice, title, id, language] = [draw(voices), `Wave ${(n * 7) % (size / 2)}`, newId(), draw(languages)];
    const own = [draw(facetTags.who), draw(facetTags.mood), draw(facetTags.mood), draw(looseTags), draw(looseTags)];
    const audio = {
      id,
      title: sortKey(title),
      plays: n % 5,
      ms: draw(lengths),
      tags: [...new Set(own)],
      categoryId: draw(categoryIds),
      voiceId: voice.id,
      voiceType: voice.voiceType,
      time: Date.now() - (1 + (n % (size / 3))) * minute,
      language: language.split('-')[0] ?? '',
      syntheticVoice: draw(syntheticVoices),
      isFree: random() < 0.2,
    };
    all.push(audio);
    const [isDraft, isScheduled] = [n % 10 === 0, n % 10 === 1];
    const publishedAt = isDraft ? null : new Date(isScheduled ? Date.now() + 60 * minute : audio.time);
    if (!isDraft && !isScheduled) made.push(audio);
    rows.push({
      id,
      slug: `wave-${n}`,
      title,
      sortTitle: audio.title,
      voiceId: voice.id,
      durationMs: audio.ms,
      publishedAt,
      fileKey: `audio/${id}.mp3`,
      fileMime: 'audio/mpeg',
      fileBytes: 1,
      language,
      syntheticVoice: audio.syntheticVoice,
      isFree: audio.isFree,
    });
  }
  await db.insert(audios).values(rows);
  await db.insert(audioCategories).values(all.map(({ id, categoryId }) => ({ audioId: id, categoryId })));
  await db
    .insert(audioTags)
    .values(all.flatMap((one) => one.tags.map((slug) => ({ audioId: one.id, tagId: tagIds.get(slug) ?? '' }))));
  for (const { id, plays } of all)
    await db.execute(sql`update audio_counts set plays = ${plays} where audio_id = ${id}`);
  return { made, categoryIds, voiceIds: voices.map(({ id }) => id), tagIds };
}

/** Whether the audio meets the filter; said anew, so that no mistake is made twice. */
export function meetsSlowly(audio: FilteredAudio, filter: AudioFilter): boolean {
  const { tag = [], not = [], length, free, syntheticVoice, language, voiceType, shorterThan = Infinity } = filter;
  const minutes = audio.ms / minute;
  const ofLength = (Object.entries(lengthClasses) as [keyof typeof lengthClasses, readonly number[]][]).find(
    ([, [from = 0, to = Infinity]]) => minutes >= from && minutes < to,
  )?.[0];
  return (
    [...Map.groupBy(tag, facetOf).values()].every((group) => group.some((one) => audio.tags.includes(one))) &&
    !not.some((one) => audio.tags.includes(one)) &&
    (length === undefined || length.some((one) => one === ofLength)) &&
    (free === undefined || audio.isFree) &&
    (syntheticVoice === undefined || audio.syntheticVoice === syntheticVoice) &&
    (language === undefined || language.includes(audio.language)) &&
    (voiceType === undefined || voiceType.includes(audio.voiceType)) &&
    audio.ms < shorterThan * 1000
  );
}

const orders: Record<AudioSort, ['time' | 'plays' | 'title' | 'ms', 1 | -1]> = {
  recent: ['time', -1],
  oldest: ['time', 1],
  popular: ['plays', -1],
  title: ['title', 1],
  shortest: ['ms', 1],
  longest: ['ms', -1],
};

export function sortSlowly(audiosToSort: FilteredAudio[], sort: AudioSort): FilteredAudio[] {
  const [key, sign] = orders[sort];
  const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0);
  return audiosToSort.toSorted((a, b) => compare(a[key], b[key]) || compare(a.id, b.id));
}
