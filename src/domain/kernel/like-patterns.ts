import { dropUnwanted } from './rules.ts';

/**
 * Patterns of SQL's LIKE and ILIKE in which `%`, `_` and `\` of the text match themselves. PostgreSQL accepts no NUL.
 */

export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

export function startingWith(text: string): string {
  return `${escaped(text)}%`;
}

function escaped(text: string): string {
  return dropUnwanted(text).replaceAll(/[\\%_]/g, String.raw`\$&`);
}
