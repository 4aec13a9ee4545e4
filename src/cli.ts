import './start/quiet-warnings.ts';
import { registerHooks } from 'node:module';
import type { CommandContext } from './cli/command.ts';
import { resolveFast } from './start/fast-imports.ts';

registerHooks({ resolve: resolveFast });
// Imported only now, so that their imports are fast.
const { readConfig } = await import('#config');
const { runCommandLine } = await import('./cli/run.ts');

/** Names and titles come from files: they must not move the cursor or clear the screen. */
function printable(line: string): string {
  return line.replace(/[^\P{Cc}\n]/gu, '\u{fffd}');
}

const context: CommandContext = {
  readConfig,
  environment: process.env,
  // npm starts scripts in the package's folder and passes the original one in INIT_CWD.
  startFolder: (process.env.npm_lifecycle_event === 'sotto' ? process.env.INIT_CWD : undefined) ?? process.cwd(),
  print: (line) => process.stdout.write(`${printable(line)}\n`),
  note: (line) => process.stderr.write(`${printable(line)}\n`),
};

// A reader that closes the pipe early, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Calls exit, so that a database server started by this command is stopped too.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

process.exitCode = await runCommandLine(process.argv.slice(2), context);
