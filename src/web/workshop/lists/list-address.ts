/** Address of the same list with changed parameters; drops the cursors, so that it starts at its first page. */
export function withParameters(search: string, changes: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams(search);
  parameters.delete('after');
  parameters.delete('before');
  parameters.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `?${parameters}`;
}
