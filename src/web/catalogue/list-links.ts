/** The same page with some of its query changed; a list that changes begins at its beginning. */
export function withQuery(search: string, changes: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams(search);
  parameters.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `?${parameters}`;
}
