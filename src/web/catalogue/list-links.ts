/**
 * Address of the same page with changed parameters, in one order, so that a list has one address. Drops the cursor, so
 * that the list starts at its first page.
 */
export function withQuery(search: string, changes: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams(search);
  parameters.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  parameters.sort();
  // Commas join the values of a filter.
  return `?${parameters}`.replaceAll('%2C', ',');
}
