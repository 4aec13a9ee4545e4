import { createHash, randomInt } from 'node:crypto';
import { toCode } from '../../kernel/forms.ts';
import { codeLength } from './rules.ts';

/** Without letters that look alike. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** @returns the code as the mail shows it, `ABCD-EFGH` */
export function newOwnerCode(): string {
  const code = Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('');
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

export function hashOfCode(importId: string, code: string): string {
  return createHash('sha256')
    .update(`feed import ${importId} ${toCode(code)}`)
    .digest('hex');
}
