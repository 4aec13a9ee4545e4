import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { creditRoles } from '#domain/catalogue/credits/rules.ts';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';

const Slug = z.string();
const Language = z.string().default('en');

/** `hours`: age of the comment. */
const DemoComment = z.object({ user: z.string(), hours: z.number().positive(), text: z.string() });

const DemoCatalogue = z.object({
  voices: z.array(
    z.object({
      slug: Slug,
      name: z.string(),
      language: Language,
      voiceTypeLabel: z.string(),
      category: Slug,
      color: z.string(),
      bio: z.string(),
      linkedSeries: Slug.optional(),
      recommends: z.array(Slug).default([]),
    }),
  ),
  categories: z.array(z.object({ slug: Slug, label: z.string(), description: z.string(), color: z.string() })),
  series: z.array(
    z.object({
      slug: Slug,
      title: z.string(),
      description: z.string(),
      voice: Slug,
      color: z.string(),
      audios: z.array(Slug),
    }),
  ),
  audios: z.array(
    z.object({
      slug: Slug,
      title: z.string(),
      voice: Slug,
      language: Language,
      credits: z
        .array(z.object({ role: z.enum(creditRoles), name: z.string().optional(), voice: Slug.optional(), asked: z.boolean().default(false) }))
        .default([]),
      description: z.string(),
      color: z.string(),
      badge: z.string().optional(),
      free: z.boolean().default(false),
      commentsDisabled: z.boolean().default(false),
      categories: z.array(Slug),
      tags: z.array(z.string()),
      transcript: z.boolean(),
    }),
  ),
  playlists: z.array(z.object({ slug: Slug, title: z.string(), description: z.string(), audios: z.array(Slug) })),
  users: z.array(z.object({ username: z.string(), color: z.number().int() })),
  userPlaylists: z.array(
    z.object({
      title: z.string(),
      user: z.string(),
      background: z.enum(playlistBackgrounds),
      font: z.enum(playlistFonts),
      public: z.boolean(),
      audios: z.array(Slug),
    }),
  ),
  comments: z.array(DemoComment.extend({ audio: Slug, replies: z.array(DemoComment).default([]) })),
  preview: Slug,
});

const Recording = z.object({
  file: z.string(),
  mime: z.string(),
  seconds: z.number(),
  bytes: z.number().int(),
  cues: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
});

/** As measured by the sound engine. */
const Measures = z.object({
  facts: z.object({
    format: z.string(),
    sampleRate: z.number(),
    channels: z.number(),
    durationMs: z.number().int(),
    loudnessBefore: z.number(),
    loudnessAfter: z.number(),
    truePeakAfter: z.number(),
  }),
  /** In base64. */
  peaks: z.base64(),
});

/** Lines of transcripts in other languages, by slug and language; each has the times of the same spoken line. */
const Translations = z.record(Slug, z.record(z.string(), z.array(z.string())));

export type DemoComment = z.infer<typeof DemoComment>;
export type DemoCatalogue = z.infer<typeof DemoCatalogue>;
export type Recording = z.infer<typeof Recording>;
export type Measures = z.infer<typeof Measures>;
export type Translations = z.infer<typeof Translations>;

/** @returns the catalogue, and by slug of their audio its recordings, their measures and translations */
export async function readDemoCatalogue(demoDir: string): Promise<{
  catalogue: DemoCatalogue;
  recordings: Map<string, Recording>;
  measures: Map<string, Measures>;
  translations: Translations;
}> {
  const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(demoDir, name), 'utf8'));
  const catalogue = DemoCatalogue.parse(await readJson('catalogue.json'));
  const recordings = z.record(Slug, Recording).parse(await readJson('recordings.json'));
  const measures = z.record(Slug, Measures).parse(await readJson('measures.json'));
  return {
    catalogue,
    recordings: new Map(Object.entries(recordings)),
    measures: new Map(Object.entries(measures)),
    translations: Translations.parse(await readJson('translations.json')),
  };
}

/** @throws Error for a slug that the demo lacks */
export function find<Value>(values: Map<string, Value>, slug: string): Value {
  const value = values.get(slug);
  if (value === undefined) throw new Error(`The demo has nothing named ${slug}`);
  return value;
}
