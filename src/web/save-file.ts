/** Downloads what was fetched already. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers only begin to read it after the press.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
