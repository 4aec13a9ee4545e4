import { startEmbeddedServer } from '#db/embedded-server.ts';
const s = await startEmbeddedServer({ dataDir: '/work/million', log: { info() {}, warn() {} } });
console.log(s.url);
process.on('SIGTERM', async () => { await s.stop(); process.exit(0); });
setInterval(() => {}, 1e6);
