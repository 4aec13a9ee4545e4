/** Whether the browser’s data saver (Save-Data) is on. */
export function savesData(): boolean {
  return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
