export type CounterType = 'listenCounter' | 'played30sCounter' | 'audioListenedSeconds' | 'voiceListenedSeconds';

/** One call of the history API. Each is idempotent, so it can be sent again. */
export type HistoryCall =
  /** `GET /audios/play/{audioId}`; the only call for visitors. `source`: see `About`. */
  | { call: 'play'; audioId: string; source: string }
  /** `POST /history/me/increase-counter`; `value` and `position` in seconds. */
  | { call: 'count'; type: CounterType; key: string; value?: number; position?: number; reportId: string }
  /** `POST /history/me/value` with type `currentlyListening`. */
  | { call: 'set-place'; audioId: string; seconds: number; isPlaying: boolean }
  /** `DELETE /history/me/value` with type `currentlyListening`. */
  | { call: 'delete-place'; audioId: string };

export type HistoryServer = {
  /**
   * Always uses `keepalive`, since the page may close at any time. Resolves to `refused` when a retry would not help, and
   * to `taken-over` when done while another device plays. Rejects on network errors, 5xx, 429 and answers that are not the
   * site’s; the call is then retried, also after a reload.
   * @param notedAt wall-clock milliseconds: the server keeps the newest position of an audio
   */
  send(call: HistoryCall, notedAt: number): Promise<'done' | 'refused' | 'taken-over'>;
  /** Calls the listener when any call of the page has succeeded. @returns stops it */
  onAnswer?(listener: () => void): () => void;
};
