import type { PlayerEvent } from '#player/reports/player-events.ts';

/** Saved position of each audio: the account's, overridden by this page's. */
export function createResumePositions() {
  let accountPositions = new Map<string, number>();
  let accountCompleted: ReadonlySet<string> = new Set();
  // Reported since the account’s were loaded, so newer. Undefined: heard to the end.
  const pagePositions = new Map<string, number | undefined>();

  /** Undefined when no position is known. */
  function find(audioId: string): number | undefined {
    return pagePositions.has(audioId) ? pagePositions.get(audioId) : accountPositions.get(audioId);
  }

  return {
    find,
    of: (audioId: string): number => find(audioId) ?? 0,
    /** Heard to the end and not started again since. */
    isHeard: (audioId: string): boolean =>
      pagePositions.has(audioId)
        ? pagePositions.get(audioId) === undefined
        : accountCompleted.has(audioId) && !accountPositions.has(audioId),
    /**
     * Sets the account’s positions, by audio id. They include this page’s, and maybe later ones of another device.
     * @param completed ids of audios heard to the end
     */
    replace(positions: Record<string, number>, completed: readonly string[] = []): void {
      accountPositions = new Map(Object.entries(positions));
      accountCompleted = new Set(completed);
      // Keeping the entry protects it from older positions in a page's data (`seed`).
      for (const audioId of pagePositions.keys()) {
        if (accountPositions.has(audioId) || accountCompleted.has(audioId))
          pagePositions.set(audioId, accountPositions.get(audioId));
        else pagePositions.delete(audioId);
      }
    },
    /** Adds some of the account’s positions before the full history has loaded. */
    seed(some: Record<string, number>): void {
      for (const [audioId, seconds] of Object.entries(some)) accountPositions.set(audioId, seconds);
    },
    report(event: PlayerEvent): void {
      if (event.name === 'audio_progress') pagePositions.set(event.trackId, event.position);
      else if (event.name === 'audio_completed') pagePositions.set(event.trackId, undefined);
    },
    /** For an audio removed from the listener’s history; all of them without an id. */
    clear(audioId?: string): void {
      const stays = (id: string) => audioId !== undefined && id !== audioId;
      accountCompleted = new Set([...accountCompleted].filter(stays));
      for (const positions of [accountPositions, pagePositions])
        for (const id of positions.keys()) if (!stays(id)) positions.delete(id);
    },
  };
}
