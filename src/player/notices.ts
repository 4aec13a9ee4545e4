/** What the listener is told in one line, without a dialog; the interface has the words. */
export type Notice =
  /** Another device saved a newer queue, which took the place of this one. What plays here plays on. */
  | { kind: 'queue-on-other-device-newer' }
  /** So many audios of the saved queue are no longer to be had, and were left out. */
  | { kind: 'dropped-from-queue'; count: number }
  /** The file of this audio is broken or gone. `goesOn`: the next one starts by itself. */
  | { kind: 'file-broken'; trackId: string; title: string; goesOn: boolean }
  /** There is no room for one more. */
  | { kind: 'queue-full'; limit: number };
