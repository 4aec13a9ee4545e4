export type CounterType = 'listenCounter' | 'played30sCounter' | 'audioListenedSeconds' | 'voiceListenedSeconds';

/** One call of the history API. Each may be sent twice without being counted twice. */
export type HistoryCall =
  /** `GET /audios/play/{audioId}`; the only one that a visitor makes. */
  | { call: 'play'; audioId: string }
  /** `POST /history/me/increase-counter`; `value` and `position` in seconds. */
  | { call: 'count'; type: CounterType; key: string; value?: number; position?: number; reportId: string }
  /** `POST /history/me/value` with type `currentlyListening`. */
  | { call: 'set-place'; audioId: string; seconds: number }
  /** `DELETE /history/me/value` with type `currentlyListening`. */
  | { call: 'delete-place'; audioId: string };

export type HistoryServer = {
  /**
   * Always with `keepalive`, since the page may go at any time. `refused` (4xx but 429): asking again would change nothing.
   * Rejects when the server cannot be reached or is in trouble; then it is sent again, also after a reload.
   */
  send(call: HistoryCall): Promise<'done' | 'refused'>;
};
