// A site reduced to its database, for embedded-server.test.ts: prints one JSON line per event.
import { startEmbeddedServer, StartError } from './embedded-server.ts';

const say = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`);
const dataDir = process.argv[2] ?? '';

process.on('SIGINT', () => say({ interrupted: true }));
process.on('SIGUSR2', () => process.exit(3));
try {
  const server = await startEmbeddedServer({
    dataDir,
    log: { info: (message) => say({ info: message }), warn: (message) => say({ warn: message }) },
  });
  const keepRunning = setInterval(() => undefined, 60_000);
  server.onExit((lost) => {
    say({ lost });
    process.exit(1);
  });
  process.once('SIGTERM', () => void server.stop().then(() => clearInterval(keepRunning)));
  say({ url: server.url });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  say({ failed: error.message, reason: error.reason });
  process.exitCode = 1;
}
