import { type SQL, sql } from 'drizzle-orm';
import { voiceTypeLabels, voiceTypes } from '../rules.ts';
import { audioLengths, lengthClasses } from './rules.ts';

/** Values of filters, of columns of an audio; as the migration's `filter_keys` has them. */

const text = (value: string) => sql.raw(`'${value}'`);

/** SQL column: an `AudioLength`. @param ms column */
export function lengthSql(ms: SQL): SQL {
  const cases = audioLengths.map((name) => {
    const [, to] = lengthClasses[name];
    return to === undefined
      ? sql`else ${text(name)}`
      : sql`when ${ms} < ${sql.raw(String(to * 60_000))} then ${text(name)}`;
  });
  return sql`case ${sql.join(cases, sql` `)} end`;
}

/** SQL column: a `VoiceType`; null for a label of one's own. */
export function voiceTypeSql(label: SQL): SQL {
  const cases = voiceTypes.map((type) => sql`when ${text(voiceTypeLabels[type])} then ${text(type)}`);
  return sql`case ${label} ${sql.join(cases, sql` `)} end`;
}
