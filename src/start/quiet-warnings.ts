// Imported first by every program of the site: suppresses Node's warning that SQLite, which locks DATA_DIR, is
// experimental.
const listeners = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener(warning);
});
