import { passwordLength } from './rules.ts';

let reading: Promise<ReadonlySet<string>> | undefined;

/** Whether the password is on a list of common leaked passwords, ignoring case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  reading ??= readList();
  return (await reading).has(password.toLowerCase());
}

/** Unpacking takes about 50 ms, so it is deferred to the first use. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= passwordLength.min));
}
