import { type SQL, sql } from 'drizzle-orm';
import { lengthSql, voiceTypeSql } from '../catalogue/filters/columns.ts';
import type { Condition } from '../catalogue/filters/read-filter.ts';
import type { Property, WantedAudios } from './search-index.ts';

/** Properties of audios in the index, in SQL and as a filter asks for them: a kind, and a value of it. */
const kinds = { length: 'length ', syntheticVoice: 'synthetic ', voiceType: 'voice ' } as const;

/** SQL column: an array, without a kind of voice of the operator's own. */
export function propertiesSql(audio: { syntheticVoice: SQL; durationMs: SQL; voiceTypeLabel: SQL }): SQL {
  const kind = (name: keyof typeof kinds) => sql.raw(`'${kinds[name]}'`);
  return sql`array_remove(array[${kind('syntheticVoice')} || ${audio.syntheticVoice},
    ${kind('length')} || ${lengthSql(audio.durationMs)}, ${kind('voiceType')} || ${voiceTypeSql(audio.voiceTypeLabel)}], null)`;
}

/** As the index looks for it; it does not know `shorterThan`, and `free` is asked for by itself. */
export function wantedOf(conditions: Condition[], noWords: string[]): WantedAudios {
  const of = (field: Property['field'], values: string[]) => values.map((value) => ({ field, value }));
  const having = (kind: keyof typeof kinds, values: string[]) =>
    of(
      'properties',
      values.map((value) => kinds[kind] + value),
    );
  return {
    all: conditions.flatMap(({ of: { tag, length, syntheticVoice, language, voiceType }, tagIds = [] }) => [
      ...(tag ? [of('tagIds', tagIds)] : []),
      ...(length ? [having('length', length)] : []),
      ...(syntheticVoice ? [having('syntheticVoice', [syntheticVoice])] : []),
      ...(language ? [of('language', language)] : []),
      ...(voiceType ? [having('voiceType', voiceType)] : []),
    ]),
    noTagIds: conditions.flatMap(({ of: { not }, tagIds = [] }) => (not ? tagIds : [])),
    noWords,
  };
}
