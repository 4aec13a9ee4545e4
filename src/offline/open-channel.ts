/** Undefined where the browser has none, or blocks it together with cookies, as Firefox does. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
