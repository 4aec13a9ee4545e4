import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { type PublishingResult, publishAudio } from '../../catalogue/editing/publishing.ts';
import { addFacetTags } from '../../catalogue/facets/tags-of-audios.ts';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import type { SyntheticVoice } from '../../catalogue/rules.ts';
import { audioCategories, audios, recordings } from '../../catalogue/tables.ts';
import { findNewAudioColumns } from '../../catalogue/voices.ts';
import type { Db } from '../../kernel/db.ts';
import type { AudioTags, Covers, SoundEngine, SoundFile } from '../../gateways.ts';
import { operator } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId, sortKey } from '../../kernel/ids.ts';
import { findListed, findWordLists } from '../../settings/word-lists.ts';
import { addToSeries, findOrCreateCategories, findOrCreateSeries, findOrCreateVoice } from './import-catalogue.ts';
import { type ImportTags, cleanLine, cleanTags } from './import-tags.ts';
import { keepImage, originalKey, soundKey } from './keep-files.ts';
import { setStatedChapters, writeRecording } from './keep-recording.ts';
import { type KeptSound, type ListeningFile, withListeningFile } from './listening-file.ts';
import type { FileTools } from '../../stored-files.ts';

export type ImportTools = FileTools & {
  audioTags: AudioTags;
  covers: Covers;
  /** Undefined: files are stored as they are. */
  engine?: SoundEngine | undefined;
};

export type ImportChoices = {
  /** Slug or name; overrides the artist tag. */
  voice?: string | undefined;
  /** For voices created by the import, for example `Female voice`. */
  voiceTypeLabel: string;
  /** Ids; override the genre tags. */
  categoryIds?: string[] | undefined;
  /** Default: the voice's. */
  language?: string | undefined;
  /** Default: `none`. */
  syntheticVoice?: SyntheticVoice | undefined;
  /** Slugs of tags in facets. */
  tags?: string[] | undefined;
  isFree: boolean;
  publish: boolean;
};

export type ImportedAudio = {
  slug: string;
  title: string;
  /** Seconds. */
  numberDuration: number;
  voice: { slug: string; name: string; isNew: boolean };
  series: { slug: string; title: string; isNew: boolean } | undefined;
  newCategories: string[];
  cover: 'kept' | 'none' | 'not-decodable';
  extension: SoundFile['extension'];
  bytes: number;
  /** As in `SoundFacts`; absent for a whole file. */
  missingSeconds?: number | undefined;
  /** Why it is a draft, or waits, though it was to be published. */
  unpublished?: { reason: 'in-review' } | Exclude<PublishingResult, { ok: true }> | undefined;
};

export type ImportResult =
  | { ok: true; audio: ImportedAudio }
  | { ok: false; reason: 'already-there'; slug: string }
  | { ok: false; reason: 'no-voice' }
  | { ok: false; reason: 'unreadable' | 'damaged' | 'not-playable' | 'refused-word'; detail: string };

/** A file whose content is stored, before its rows are written. */
type StoredFile = {
  file: SoundFile;
  kept: KeptSound;
  tags: ImportTags;
  voiceName: string;
  cover: Uint8Array | undefined;
  imageKey: string | null;
};

const wasChanged = { ok: false, reason: 'unreadable', detail: 'was changed while it was read' } as const;

/**
 * Creates an audio from a local sound file and its tags. Stores the file first, under a content hash, then all rows in
 * one transaction, so that an interrupted import can be repeated.
 * @param title fallback when the file has no title tag
 */
export async function importAudio(
  { audioTags, covers, engine, ...tools }: ImportTools,
  path: string,
  title: string,
  choices: ImportChoices,
): Promise<ImportResult> {
  const read = await audioTags.read(path);
  if (!read.ok) return read;
  const { file } = read;
  const tags = cleanTags(file, title);
  const { refused } = await findWordLists(tools.db);
  const [word] = findListed(tags.title, refused);
  if (word !== undefined)
    return { ok: false, reason: 'refused-word', detail: `has “${word}” in its title, a word that this site refuses` };
  const existing = await findSameAudio(tools.db, file, tags.title);
  if (existing !== undefined) return existing;
  const voiceName = cleanLine(choices.voice, 120) ?? tags.artist;
  if (voiceName === undefined) return { ok: false, reason: 'no-voice' };

  const syntheticVoice = choices.syntheticVoice ?? file.syntheticVoice;
  const keep = async (listening: ListeningFile): Promise<ImportResult> => {
    const kept = await listening.keep();
    if (kept === undefined) return wasChanged;
    const cover = file.picture === undefined ? undefined : await encodeTagged(covers, file.picture);
    const imageKey = cover === undefined ? null : await keepImage(tools, cover);
    const stored = { file, kept, tags, voiceName, cover, imageKey };
    return tools.db.transaction((tx) => writeAudio(tx, stored, { ...choices, syntheticVoice }));
  };
  return withListeningFile<ImportResult>({ ...tools, engine }, path, file, keep, syntheticVoice);
}

/** A picture in the tags that cannot be decoded within its limits is left out. */
async function encodeTagged(covers: Covers, picture: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await covers.encode(picture);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'picture/too-costly') return undefined;
    throw error;
  }
}

async function writeAudio(tx: Db, stored: StoredFile, choices: ImportChoices): Promise<ImportResult> {
  const { file, kept, tags } = stored;
  // Locked first: concurrent imports of one file wait for this lock, and the second finds the audio of the first.
  const slug = await claimSlug(tx, 'audios', tags.title);
  const existing = await findSameAudio(tx, file, tags.title);
  if (existing !== undefined) return existing;

  const voice = await findOrCreateVoice(tx, {
    name: stored.voiceName,
    isChosen: choices.voice !== undefined,
    voiceTypeLabel: choices.voiceTypeLabel,
    language: choices.language,
  });
  const audioId = await insertAudio(tx, { stored, choices, slug, voiceId: voice.id });
  const newCategories = await addCategories(tx, audioId, choices.categoryIds, tags.genres);
  const series = await addToAlbumSeries(tx, audioId, { stored, choices, voiceId: voice.id });
  await addFacetTags(tx, audioId, choices.tags ?? []);
  const published = choices.publish ? await publishAudio(tx, audioId) : undefined;
  return {
    ok: true,
    audio: {
      slug,
      title: tags.title,
      numberDuration: Math.round(kept.sound.durationMs / 10) / 100,
      voice: { slug: voice.slug, name: voice.name, isNew: voice.isNew },
      series,
      newCategories,
      cover: coverStateOf(stored),
      extension: kept.recording === undefined ? file.extension : '.m4a',
      bytes: kept.sound.fileBytes,
      missingSeconds:
        kept.recording === undefined ? (file.endsEarly ? 0 : undefined) : kept.recording.facts.missingSeconds,
      unpublished: published?.ok ? (published.audio.review === null ? undefined : { reason: 'in-review' }) : published,
    },
  };
}

/** An audio with this title and the same content; deleted ones do not count. */
async function findSameAudio(db: Db, file: SoundFile, title: string): Promise<ImportResult | undefined> {
  const madeOfIt = db
    .select({ id: recordings.audioId })
    .from(recordings)
    .where(eq(recordings.originalKey, originalKey(file)));
  const [row] = await db
    .select({ slug: audios.slug })
    .from(audios)
    .where(
      and(
        or(eq(audios.fileKey, soundKey(file)), inArray(audios.id, madeOfIt)),
        eq(audios.title, title),
        isNull(audios.deletedAt),
      ),
    )
    .limit(1);
  return row && { ok: false, reason: 'already-there', slug: row.slug };
}

async function insertAudio(
  tx: Db,
  { stored, choices, slug, voiceId }: { stored: StoredFile; choices: ImportChoices; slug: string; voiceId: string },
): Promise<string> {
  const { tags, imageKey, kept } = stored;
  const id = newId();
  await tx.insert(audios).values({
    id,
    slug,
    title: tags.title,
    sortTitle: sortKey(tags.title),
    description: tags.description,
    voiceId,
    imageKey,
    isFree: choices.isFree,
    ...(await findNewAudioColumns(tx, voiceId)),
    ...(choices.language !== undefined && { language: choices.language }),
    syntheticVoice: choices.syntheticVoice,
    ...kept.sound,
  });
  if (kept.recording !== undefined) {
    await writeRecording(tx, id, kept.recording);
    await setStatedChapters(tx, id, kept.recording.chapters);
  }
  await recordChange(tx, {
    actor: operator,
    role: 'operator',
    action: 'audio.create',
    subject: { type: 'audio', id, name: tags.title },
    voiceId,
    after: { title: tags.title, durationMs: kept.sound.durationMs },
  });
  return id;
}

/** @param chosenIds override the genres. @returns slugs of new categories */
async function addCategories(
  tx: Db,
  audioId: string,
  chosenIds: string[] | undefined,
  genres: string[],
): Promise<string[]> {
  const { ids, newSlugs } =
    chosenIds === undefined ? await findOrCreateCategories(tx, genres) : { ids: chosenIds, newSlugs: [] };
  if (ids.length > 0)
    await tx.insert(audioCategories).values(ids.map((categoryId, position) => ({ audioId, categoryId, position })));
  return newSlugs;
}

/** An album tag makes the audio a part of the series of that title. */
async function addToAlbumSeries(
  tx: Db,
  audioId: string,
  { stored, choices, voiceId }: { stored: StoredFile; choices: ImportChoices; voiceId: string },
): Promise<ImportedAudio['series']> {
  const { tags, imageKey } = stored;
  if (tags.album === undefined) return undefined;
  const hasOneVoice = choices.voice !== undefined || isByOneArtist(tags);
  const { id, slug, title, isNew } = await findOrCreateSeries(tx, {
    title: tags.album,
    voiceId: hasOneVoice ? voiceId : null,
    imageKey,
  });
  await addToSeries(tx, id, audioId, tags.place);
  return { slug, title, isNew };
}

/** Albums of several artists have another album artist, such as “Various”. */
function isByOneArtist({ artist, albumArtist }: ImportTags): boolean {
  return albumArtist === undefined || albumArtist.toLowerCase() === artist?.toLowerCase();
}

function coverStateOf({ file, cover }: StoredFile): ImportedAudio['cover'] {
  if (file.picture === undefined) return 'none';
  return cover === undefined ? 'not-decodable' : 'kept';
}
