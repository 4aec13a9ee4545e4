import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { type Config, ConfigError, envFile, parseConfig } from '#config';
import { describeMissingOperator } from '#start/start-messages.ts';
import { findSoundVersion } from '#gateways/sound/sound-engine.ts';
import { hasVoice } from '#gateways/timing/speak-lines.ts';
import { isOpenToOthers } from './data-dir.ts';
import { type Report, reportOn } from './report.ts';

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

export function checkNode(report: Report): void {
  const part = reportOn('Node', report);
  const required = readRequiredNode();
  const { node } = process.versions;
  if (node === required) part.ok(node);
  else if (majorOf(node) === majorOf(required))
    part.warn(
      /*i18n*/ {
        id: 'doctor.node.other',
        message: '{node}, and Sotto is tested with {required}; start it through npm',
        values: { node, required },
      },
    );
  else
    part.fail(
      /*i18n*/ {
        id: 'doctor.node.wrong',
        message: '{node}, and Sotto needs {required}; run it through npm, which installs it ({command})',
        values: { node, required, command: 'npm run sotto -- doctor' },
      },
    );
}

function readRequiredNode(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    dependencies: { node: string };
  };
  return manifest.dependencies.node;
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}

export async function checkSound(_config: Config, report: Report): Promise<void> {
  const version = await findSoundVersion();
  if (version !== undefined)
    report(
      'ok',
      'Sound',
      /*i18n*/ { id: 'doctor.sound', message: 'FFmpeg {version} processes uploads and imports', values: { version } },
    );
  else
    report(
      'warn',
      'Sound',
      /*i18n*/ {
        id: 'doctor.sound.missing',
        message:
          'the module that processes it (node-av) is not installed or does not run here: uploads wait, and imports are kept as they are; npm install brings it for Linux, macOS and Windows on x64 and arm64',
      },
    );
}

/** Reads a line aloud: the program of npm may be there and not run. */
export async function checkVoice(_config: Config, report: Report): Promise<void> {
  if (await hasVoice())
    report('ok', 'Scripts', /*i18n*/ { id: 'doctor.voice', message: 'eSpeak NG reads them, to time their lines' });
  else
    report(
      'warn',
      'Scripts',
      /*i18n*/ {
        id: 'doctor.voice.missing',
        message:
          'eSpeak NG does not run here, so the lines of scripts are timed by their length alone; npm install brings it, and the package espeak-ng of the system takes its place',
      },
    );
}

/** Replaces missing settings, so that the others are checked too. */
const placeholders: Record<string, string> = {
  SITE_URL: 'https://sotto.invalid',
  SECRET: randomUUID(),
  DATABASE_URL: 'postgres://sotto.invalid/sotto',
};

/** The parts of the process that the checks use. */
export type Surroundings = {
  /** @throws ConfigError */
  readConfig(): Config;
  /** The input of `readConfig`. */
  environment: Record<string, string | undefined>;
  /** Prints one line to stderr. */
  note(line: string): unknown;
};

/**
 * Lists every wrong setting, while a start stops at the first.
 * @returns the settings, with defaults for the wrong ones
 */
export function checkSettings(context: Surroundings, report: Report): Config {
  const part = reportOn('Settings', report);
  try {
    const config = context.readConfig();
    if (config.unknownSettings.length > 0)
      part.warn(`${config.unknownSettings.join(', ')} in ${envFile}: no setting of Sotto has this name`);
    else part.ok('all can be used');
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  const environment = { ...context.environment };
  for (;;) {
    try {
      const config = parseConfig(environment);
      part.warn('what follows is checked with the defaults in place of the wrong ones');
      return config;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      part.fail(error.message);
      const [, name, problem] = /setting (\w+) is (wrong|missing|unknown)/.exec(error.message) ?? [];
      if (name === undefined) return parseConfig({});
      if (problem === 'missing') environment[name] = placeholders[name] ?? '';
      else delete environment[name];
    }
  }
}

const secretNames = /SECRET|KEY|PASSWORD|_URL$/;

/** Settings hold passwords and keys. */
export function checkEnvFile(_config: Config, report: Report): void {
  const path = resolve(envFile);
  if (!isOpenToOthers(path)) return;
  const names = Object.keys(parseEnv(readFileSync(path, 'utf8')));
  const level = names.some((name) => secretNames.test(name)) ? 'FAIL' : 'warn';
  report(
    level,
    'Settings',
    /*i18n*/ {
      id: 'doctor.env-file.open',
      message: 'others on this machine may read {path}; chmod 600 it',
      values: { path },
    },
  );
}

export function checkOperator(config: Config, report: Report): void {
  const { name, email } = config.operator;
  const missing = describeMissingOperator(config);
  if (missing !== undefined) report('warn', 'Operator', missing);
  else if (name !== undefined) report('ok', 'Operator', `${name}, ${email}`);
}

export function checkBuild(_config: Config, report: Report): void {
  const build = join(packageRoot, 'build');
  const isBuilt = existsSync(join(build, 'server', 'index.js')) && existsSync(join(build, 'client'));
  if (isBuilt) report('ok', 'Build', 'the pages are built');
  else report('warn', 'Build', 'the pages are not built yet; npm start does it');
}
