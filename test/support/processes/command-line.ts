import { parseConfig } from '#config';
import { testSecret } from '../identity.ts';
import { runCommandLine } from '../../../src/cli/run.ts';

export type CommandOutcome = { code: number | null; stdout: string; stderr: string };

/** Runs a command as an operator does, but in this process, because a new one takes a second. */
export async function runSotto(
  args: string[],
  { environment, startFolder = '/' }: { environment: Record<string, string>; startFolder?: string },
): Promise<CommandOutcome> {
  const settings = {
    DEMO: 'false',
    ...(environment['DATABASE_URL'] !== undefined && { SECRET: testSecret }),
    ...environment,
  };
  const output = { stdout: '', stderr: '' };
  const code = await runCommandLine(args, {
    readConfig: () => parseConfig(settings),
    environment: settings,
    startFolder,
    print: (line) => (output.stdout += `${line}\n`),
    note: (line) => (output.stderr += `${line}\n`),
  });
  return { code, ...output };
}
