import { parentPort, workerData } from 'node:worker_threads';
import { parseFeedPage } from './parse-feed.ts';

const { content, url } = workerData as { content: Uint8Array; url: string | undefined };
parentPort?.postMessage(parseFeedPage(content, url));
