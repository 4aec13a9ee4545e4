import type { AudioItem } from '#domain/catalogue/audios.ts';
import { apiFetch } from '#web/api.ts';

/** API path of a list, and the cursor behind the part of it that is loaded. */
export type RestOfList = { path: string; cursor: string | undefined };

type Part = { items: AudioItem[]; nextCursor: string | null };

/** Maximum calls per list; enough for any list of the site. */
const maxPages = 60;

/** Up to 100 audios of a list. @param cursor undefined: from its beginning */
export async function loadPart(path: string, cursor: string | undefined): Promise<Part> {
  const query = new URLSearchParams({ limit: '100', ...(cursor !== undefined && { cursor }) });
  const answer = await apiFetch(`${path}${path.includes('?') ? '&' : '?'}${query}`);
  if (!answer.ok) throw new Error(`The list was answered with ${answer.status}`);
  return (await answer.json()) as Part;
}

/** @returns a whole list, or what follows the cursor */
export async function loadAll({ path, cursor: after }: RestOfList): Promise<AudioItem[]> {
  const all: AudioItem[] = [];
  let cursor = after;
  for (let page = 0; page < maxPages; page += 1) {
    const { items, nextCursor } = await loadPart(path, cursor);
    all.push(...items);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return all;
}
