import { examine } from '#doctor/doctor.ts';
import { textOf } from '#doctor/report.ts';
import { type Command, parseCommandLine } from './command.ts';

export const doctorCommand: Command = {
  help: `doctor [--json]

Checks everything the site needs, line by line: ok, worth checking (warn) or wrong (FAIL), with what to do. Changes
nothing. Works while the site runs and while it is stopped.

  --json  one JSON object per line: level, about, message

Exit code 1 when something is wrong.`,
  async run(args, context) {
    const { values } = parseCommandLine(args, { json: { type: 'boolean', default: false } }, []);
    let exitCode = 0;
    await examine(context, (level, about, finding) => {
      const message = textOf(finding);
      if (level === 'FAIL') exitCode = 1;
      context.print(
        values.json ? JSON.stringify({ level, about, message }) : `${level.padEnd(4)}  ${about}: ${message}`,
      );
    });
    return exitCode;
  },
};
