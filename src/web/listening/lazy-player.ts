import type { AudioItem } from '#domain/catalogue/audios.ts';
import { browserClock } from '#player/clock.ts';
import { createHistory } from '#player/reports/history.ts';
import type { PlayerEvent } from '#player/reports/player-events.ts';
import { createFailures } from '#player/recovery/failures.ts';
import { connectMediaSession } from '#player/media-session.ts';
import { addMissing, move } from '#player/queue/queue-edits.ts';
import { createQueueSync } from '#player/queue/queue-sync.ts';
import { createRecovery } from '#player/recovery/recovery.ts';
import { browserNetwork } from '#player/network.ts';
import { keepSpeeds } from '#player/keep-speeds.ts';
import type { Player } from '#player/player.ts';
import { answeredAtNight } from '#player/sleep/night-watch.ts';
import { createWarmUp } from '#player/media/warm-up.ts';
import { browserStore } from '#web/browser-store.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import { historyServer, loadResumePositions, queueServer, renewAccess } from './listening-calls.ts';
import { createAppendRest } from './append-rest.ts';
import { openNight } from './night/open-night.ts';
import { findMore } from './suggestions/keep-playing.ts';
import { noteListening } from './suggestions/note-listening.ts';
import { openSealedTracks } from './sealed-tracks.ts';
import { showNotice } from './show-notice.ts';

/**
 * Parts of the player that are needed only after the first press or a log-in, which load them.
 * @param on `audiosById`: known to this tab, and to be filled with the audios that a saved queue contains; `onTakenOver`:
 *   another device plays now
 */
export async function openLazyParts({
  audiosById,
  onTakenOver,
  viewer,
  player,
}: {
  audiosById: Map<string, AudioItem>;
  onTakenOver: () => void;
  viewer: () => Viewer;
  player: Player;
}) {
  const cacheAudios = (audios: readonly AudioItem[]) => {
    for (const audio of audios) audiosById.set(audio.id, audio);
  };
  const reports = createHistory({
    server: historyServer,
    clock: browserClock,
    network: browserNetwork,
    storage: browserStore,
    onTakenOver,
  });
  const queueTracks = await openSealedTracks(browserStore);
  const night = openNight(player);
  keepSpeeds(player, browserStore);
  let listenerId: string | null | undefined;
  return {
    createQueueSync,
    createRecovery,
    createSleepTimer: night.createSleepTimer,
    createFailures,
    queueEdits: { addMissing, move },
    connectMediaSession: (shown: Player, options: Parameters<typeof connectMediaSession>[1]) =>
      connectMediaSession(answeredAtNight(shown, night), options),
    history: {
      ...reports,
      setListener(id: string | null) {
        if (listenerId !== undefined && listenerId !== id) night.forget();
        listenerId = id;
        reports.setListener(id);
      },
      report(event: PlayerEvent) {
        reports.report(event);
        noteListening(event, viewer(), audiosById);
      },
    },
    warmUp: createWarmUp(),
    queueServer: queueServer(cacheAudios),
    queueTracks,
    async findMore(audioId: string) {
      const { audios, tracks } = await findMore(audioId, viewer());
      cacheAudios(audios);
      return tracks;
    },
    forgetTime,
    loadResumePositions: () => loadResumePositions(reports),
    appendRest: createAppendRest(cacheAudios),
    renewAccess,
    showNotice,
  };
}

/** Removes the time of a share link from the address: Back, Forward and a reload resume at the listener's own position. */
function forgetTime(): void {
  const address = new URL(location.href);
  address.searchParams.delete('t');
  history.replaceState(history.state, '', address);
}
