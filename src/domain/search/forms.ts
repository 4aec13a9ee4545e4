import { z } from 'zod';

/** What someone typed: spaces are trimmed, control characters dropped; an empty term finds nothing. */
export const SearchTerm = z
  .string()
  .max(2000)
  .transform((text) =>
    text
      .replace(/\p{Cc}/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 100),
  );
