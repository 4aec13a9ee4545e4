import { parentPort, workerData } from 'node:worker_threads';
import { writeShard } from '#formats/suggestions/shards.ts';
import { type Heard, countNeighbours } from './count-neighbours.ts';

export type CountedShards = { audios: number; shards: Uint8Array[] };

const audiosPerShard = 250;

/** Runs as a worker: on a large site it counts for minutes. */
const { heard, audioCount } = workerData as { heard: Heard; audioCount: number };
const neighbours = countNeighbours(heard, audioCount);
const count = 2 ** Math.ceil(Math.log2(Math.max(1, audioCount / audiosPerShard)));
const byShard = Map.groupBy(neighbours, ([number]) => number % count);
const shards = Array.from({ length: count }, (_, shard) => writeShard(new Map(byShard.get(shard)), count));
parentPort?.postMessage({ audios: neighbours.size, shards } satisfies CountedShards);
