// Imported first by every program of the site: hides that Node calls its SQLite, which locks DATA_DIR, experimental.
const listeners = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener(warning);
});
