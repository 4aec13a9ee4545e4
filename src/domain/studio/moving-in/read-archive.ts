import type { z } from 'zod';
import { type ArchiveFiles, WebRefusal } from '../../gateways.ts';
import { type FeedFailure, maxFeedBytesInAll, maxFeedItems } from '../feed-imports/rules.ts';
import {
  ArchivedCatalogue,
  ArchivedCreator,
  ArchivedFacts,
  ArchivedLine,
  ArchivedSeries,
  type ImportedItem,
} from './archive-shapes.ts';

const maxJsonBytes = 8 * 1024 * 1024;

export type ArchivePlan = {
  title: string;
  language: string;
  catalogue: ArchivedCatalogue;
  items: ImportedItem[];
};

/** Reads what an archive holds; its files stay where they are. @returns what it is not */
export async function readArchive(
  files: ArchiveFiles,
  signal?: AbortSignal,
): Promise<ArchivePlan | Extract<FeedFailure, 'not-an-archive' | 'too-large'>> {
  const creator = await readCreator(files, signal);
  const catalogue = await readJson(files, 'catalogue.json', ArchivedCatalogue, signal);
  const series = await readJson(files, 'series.json', ArchivedSeries, signal);
  if (creator === undefined || catalogue === undefined || series === undefined) return 'not-an-archive';
  const content = await readText(files, 'audios.jsonl', maxFeedBytesInAll, signal);
  if (content === undefined) return 'not-an-archive';
  const lines = content.split('\n').filter((line) => line !== '');
  if (lines.length > maxFeedItems) return 'too-large';
  const names = new Set(files.names);
  const items: ImportedItem[] = [];
  for (const line of lines) {
    const read = ArchivedLine.safeParse(jsonOf(line));
    if (!read.success) return 'not-an-archive';
    items.push(itemOf(read.data, names, creator.slug));
  }
  return { title: creator.name, language: creator.language, catalogue, items };
}

export const readCreator = (files: ArchiveFiles, signal?: AbortSignal): Promise<ArchivedCreator | undefined> =>
  readJson(files, 'creator.json', ArchivedCreator, signal);

export const readSeries = async (files: ArchiveFiles, signal?: AbortSignal): Promise<ArchivedSeries> =>
  (await readJson(files, 'series.json', ArchivedSeries, signal)) ?? [];

/** The original is what a new listening file is made from; without one, the listening file is. */
function itemOf(line: ArchivedLine, names: ReadonlySet<string>, creatorSlug: string): ImportedItem {
  const sound = [line.original, line.sound].find((path) => path !== undefined && names.has(path));
  const { guid, title, description, durationMs } = line;
  return {
    guid,
    title,
    description,
    publishedAt: line.publishedAt ?? undefined,
    link: undefined,
    sound: sound === undefined ? undefined : { url: sound, type: undefined, bytes: line.fileBytes },
    hasVideo: false,
    seconds: durationMs / 1000,
    season: undefined,
    episode: line.number ?? undefined,
    isExplicit: undefined,
    image: line.cover,
    transcripts: line.transcripts.map(({ language, path }) => ({ url: path, type: 'text/vtt', language })),
    chapters:
      line.chapters === undefined || !line.hasOwnChapters
        ? undefined
        : { url: line.chapters, type: 'application/json+chapters' },
    archived: {
      ...ArchivedFacts.parse(line),
      isListeningFile: sound === line.sound,
      fileName: line.originalName,
      creatorSlug,
    },
  };
}

/** @returns undefined without this file */
async function readText(
  files: ArchiveFiles,
  name: string,
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    return (await files.read(name, { bytes, signal })).content.toString('utf8');
  } catch (error) {
    if (error instanceof WebRefusal && error.status === 404) return undefined;
    throw error;
  }
}

async function readJson<Shape extends z.ZodType>(
  files: ArchiveFiles,
  name: string,
  shape: Shape,
  signal: AbortSignal | undefined,
): Promise<z.output<Shape> | undefined> {
  const read = shape.safeParse(jsonOf((await readText(files, name, maxJsonBytes, signal)) ?? ''));
  return read.success ? read.data : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
