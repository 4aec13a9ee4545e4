export function formatSpeed(rate: number): string {
  return `${rate}×`;
}
