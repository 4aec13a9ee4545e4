import { readScript } from '../catalogue/cue-rules.ts';

/** `line`: of the script, from 1. */
export type ScriptRefusal = {
  ok: false;
  reason: 'unreadable-script';
  why: 'empty' | 'not-text' | 'too-long' | 'too-many';
  line: number;
};

/** The lines of a script that is timed. */
export function readLines(script: string): { ok: true; lines: string[] } | ScriptRefusal {
  const read = readScript(script);
  if (read.ok) return read;
  const { reason, line } = read;
  const why = reason === 'empty' || reason === 'too-long' || reason === 'too-many' ? reason : 'not-text';
  return { ok: false, reason: 'unreadable-script', why, line };
}
