import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../../demo/', import.meta.url);

/** A recording of the demo with the times of its lines, which were measured when it was made. */
export type DemoRecording = {
  slug: string;
  path: string;
  language: string;
  seconds: number;
  cues: { start: number; end: number; text: string }[];
};

export async function readDemoRecordings(): Promise<DemoRecording[]> {
  const read = async (name: string) => JSON.parse(await readFile(new URL(name, folder), 'utf8')) as unknown;
  const recordings = (await read('recordings.json')) as Record<string, Omit<DemoRecording, 'slug'> & { file: string }>;
  const { audios } = (await read('catalogue.json')) as { audios: { slug: string; language?: string }[] };
  const languages = new Map(audios.map(({ slug, language = 'en' }) => [slug, language]));
  return Object.entries(recordings).map(([slug, { file, seconds, cues }]) => ({
    slug,
    path: fileURLToPath(new URL(file, folder)),
    language: languages.get(slug) ?? 'en',
    seconds,
    cues,
  }));
}
