import { type SQL, sql } from 'drizzle-orm';
import type { Condition } from '../catalogue/filters/read-filter.ts';
import { type AudioLength, audioLengths, lengthClasses } from '../catalogue/filters/rules.ts';
import { type VoiceType, voiceTypeLabels, voiceTypes } from '../catalogue/forms.ts';
import type { SyntheticVoice } from '../catalogue/rules.ts';
import type { Property, WantedAudios } from './search-index.ts';

/** Properties of audios in the index, in SQL and as a filter asks for them. */

const lengthProperty = (length: AudioLength) => `length ${length}`;
const syntheticProperty = (voice: SyntheticVoice) => `synthetic ${voice}`;
const voiceTypeProperty = (type: VoiceType) => `voice ${type}`;

const text = (value: string) => sql.raw(`'${value}'`);

/** @param ms column */
export function lengthSql(ms: SQL): SQL {
  const cases = audioLengths.map((name) => {
    const [, to] = lengthClasses[name];
    const property = text(lengthProperty(name));
    return to === undefined
      ? sql`else ${property}`
      : sql`when ${ms} < ${sql.raw(String(to * 60_000))} then ${property}`;
  });
  return sql`case ${sql.join(cases, sql` `)} end`;
}

export function syntheticSql(voice: SQL): SQL {
  return sql`${text(syntheticProperty('' as SyntheticVoice))} || ${voice}`;
}

/** Null for a label of one's own. */
export function voiceTypeSql(label: SQL): SQL {
  const cases = voiceTypes.map(
    (type) => sql`when ${text(voiceTypeLabels[type])} then ${text(voiceTypeProperty(type))}`,
  );
  return sql`case ${label} ${sql.join(cases, sql` `)} end`;
}

/** As the index looks for it; it does not know `shorterThan`, and `free` is asked for by itself. */
export function wantedOf(conditions: Condition[], noWords: string[]): WantedAudios {
  const of = (field: Property['field'], values: string[]) => values.map((value) => ({ field, value }));
  return {
    all: conditions.flatMap(({ of: { tag, length, syntheticVoice, language, voiceType }, tagIds = [] }) => [
      ...(tag ? [of('tagIds', tagIds)] : []),
      ...(length ? [of('properties', length.map(lengthProperty))] : []),
      ...(syntheticVoice ? [of('properties', [syntheticProperty(syntheticVoice)])] : []),
      ...(language ? [of('language', language)] : []),
      ...(voiceType ? [of('properties', voiceType.map(voiceTypeProperty))] : []),
    ]),
    noTagIds: conditions.flatMap(({ of: { not }, tagIds = [] }) => (not ? tagIds : [])),
    noWords,
  };
}
