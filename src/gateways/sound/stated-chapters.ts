import { type IAudioMetadata, parseFile } from 'music-metadata';
import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import { parseCueTime } from '#domain/catalogue/rules.ts';

/** Characters of a title that are passed on; the site takes fewer. */
const maxTitle = 500;
const maxStated = 1000;

/**
 * Chapters of ID3 tags (CHAP), of MP4 files, and of Vorbis comments (CHAPTER001, CHAPTER001NAME). Anything may be in a
 * file, so run this in the program that decodes it.
 * @returns none where they cannot be read: the sound counts
 */
export async function readStatedChapters(path: string): Promise<Chapter[]> {
  try {
    const metadata = await parseFile(path, { includeChapters: true, skipCovers: true, duration: false });
    // ID3 tags give seconds, and MP4 files their own units.
    const stated = (metadata.format.chapters ?? []).map(({ start, timeScale = 1, title }) => ({
      start: start / timeScale,
      title,
    }));
    return [...stated, ...vorbisChapters(metadata)]
      .filter(({ start, title }) => Number.isFinite(start) && typeof title === 'string')
      .slice(0, maxStated)
      .map(({ start, title }) => ({ start, title: [...title].slice(0, maxTitle).join('') }));
  } catch {
    return [];
  }
}

/** https://wiki.xiph.org/Chapter_Extension */
function vorbisChapters({ native }: IAudioMetadata): Chapter[] {
  const tags = new Map((native['vorbis'] ?? []).map(({ id, value }) => [id.toUpperCase(), String(value)]));
  return [...tags].flatMap(([id, time]) => {
    const title = tags.get(`${id}NAME`);
    const start = /^CHAPTER\d{3}$/.test(id) ? parseCueTime(time) : undefined;
    return start === undefined || title === undefined ? [] : [{ start, title }];
  });
}
