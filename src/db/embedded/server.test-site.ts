// A site reduced to its database, for server.test.ts: prints one JSON line per event.
import { startEmbeddedServer, StartError } from './server.ts';

const print = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`);
const dataDir = process.argv[2] ?? '';

process.on('SIGINT', () => print({ interrupted: true }));
process.on('SIGUSR2', () => process.exit(3));
try {
  const server = await startEmbeddedServer({
    dataDir,
    log: { info: (message) => print({ info: message }), warn: (message) => print({ warn: message }) },
  });
  const keepRunning = setInterval(() => undefined, 60_000);
  server.onExit((lost) => {
    print({ lost });
    process.exit(1);
  });
  process.once('SIGTERM', () => void server.stop().then(() => clearInterval(keepRunning)));
  print({ url: server.url });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  print({ failed: error.message, reason: error.reason });
  process.exitCode = 1;
}
