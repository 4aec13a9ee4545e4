import type { Positions } from '#player/reports/history.ts';

type AccountPositions = {
  /** Saved seconds by audio id. */
  positions: Record<string, number>;
  /** Ids of audios heard to the end. */
  completed: readonly string[];
};

/** The account’s positions with those of this device that it may not have received yet. */
export function withNewer({ positions, completed }: AccountPositions, newer: Positions) {
  const all = new Map<string, number | undefined>([...Object.entries(positions), ...newer]);
  const inProgress = [...all].filter((entry): entry is [string, number] => entry[1] !== undefined);
  const ended = [...newer.keys()].filter((audioId) => all.get(audioId) === undefined);
  return { positions: Object.fromEntries(inProgress), completed: [...completed, ...ended] };
}
