/** Removes the time of a share link from the address: Back, Forward and a reload resume at the listener's own position. */
export function forgetTime(): void {
  const address = new URL(location.href);
  address.searchParams.delete('t');
  history.replaceState(history.state, '', address);
}
