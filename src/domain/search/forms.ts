import { z } from 'zod';
import { deepestHit } from './rules.ts';

/** The groups of spec §3, named as in the answer. */
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

/** Characters; longer terms are cut. */
export const longestTerm = 100;

/** A search term: trimmed, without control and bidi characters; an empty term finds nothing. */
export const SearchTerm = z.string().transform((text) =>
  text
    // Removed before anything is counted: control characters and lone surrogates.
    .slice(0, 4000)
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestTerm)
    // The cut may have split a surrogate pair.
    .replace(/\p{Cs}$/u, '')
    .trimEnd(),
);

/** Starts at 0 (as in the spec's blog); pages beyond the deepest hit are empty. */
export const SearchPage = z.coerce.number().int().min(0).max(deepestHit).default(0);
