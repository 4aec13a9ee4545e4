import { z } from 'zod';

/** The groups of spec §3, by the names of the answer. */
export const searchGroups = [
  'audios',
  'categories',
  'playlists',
  'voices',
  'series',
  'users',
  'usersPlaylists',
] as const;
export type SearchGroup = (typeof searchGroups)[number];

/** Characters; of what is longer the beginning is looked for. */
export const longestTerm = 100;

/** What someone typed: spaces are trimmed, control characters and what turns the direction of text dropped; an empty term finds nothing. */
export const SearchTerm = z.string().transform((text) =>
  text
    // What no word can be of, and half characters, before anything is counted.
    .slice(0, 4000)
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestTerm)
    // Cut within a character.
    .replace(/[\p{Cs}\s]+$/u, ''),
);

/** Hits that can be reached page by page. */
export const deepestHit = 1000;

/** The first page is 0 (as in the spec's blog); pages beyond the deepest hit are empty. */
export const SearchPage = z.coerce.number().int().min(0).max(deepestHit).default(0);
