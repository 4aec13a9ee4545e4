import type { Extent } from './pressed-extent.ts';

export type Notice = {
  /** Nothing is shown for an empty one. */
  text: string;
  /** One action, such as Undo. */
  action?: { label: string; onPress: () => void };
  /** Replaces a visible notice of the same kind; defaults to the text. */
  kind?: string;
  /**
   * Text for several of this kind in one notice, whose action then acts on all, the last one first.
   * @param counted gives their number with this noun
   */
  several?: (counted: (noun: string) => string) => string;
  /** Called when the notice closes: in time, by a press or by `until`. The action is called before. */
  onClosed?: () => void;
  /** Closes the notice when aborted. */
  until?: AbortSignal;
};

/** A notice with the position of the control that caused it, and its time (`performance.now`). */
export type ShownNotice = Notice & { pressed: Extent | undefined; shownAt: number };

/** Display time in milliseconds; focus or hover pauses it (WCAG 2.2.1). */
export const noticeMs = 5000;
export const actionMs = 20_000;
