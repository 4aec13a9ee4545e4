import { buffer } from 'node:stream/consumers';
import start from 'espeak-ng';

/**
 * eSpeak NG of npm as a program: it takes the arguments of `espeak-ng`, SSML from its input, and writes a WAV file to
 * its output. It is under the GPL, version 3, and so in no process with other code (decision 096).
 */
const [text, sound] = ['/text', '/sound'] as const;
const input = await buffer(process.stdin);
const complain = (line: string) => void process.stderr.write(`${line}\n`);
const { FS } = await start({
  arguments: [...process.argv.slice(2), '-f', text, '-w', sound],
  preRun: [(module) => module.FS.writeFile(text, input)],
  print: complain,
  printErr: complain,
});
const isSpoken = FS.analyzePath(sound).exists;
process.stdout.write(isSpoken ? FS.readFile(sound) : '', () => process.exit(isSpoken ? 0 : 1));
