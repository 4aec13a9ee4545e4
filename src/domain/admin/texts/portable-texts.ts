import { findInfoFault, infoPageNames, infoPageSetting, retention } from '../../editorial/info-pages.ts';
import { blogTopics } from '../../editorial/topics.ts';
import { say } from '../../kernel/errors.ts';
import { findMailFault } from '../../kernel/mail-text.ts';
import { mailTextSetting } from '../../settings/mail-texts.ts';
import type { SettingValue } from '../../settings/setting.ts';
import type { PortableSetting } from '../site/look-file.ts';
import { withUsedTopics } from './article-topics.ts';
import { mailGroups } from './mail-kinds.ts';

type MailTextValue = SettingValue<ReturnType<typeof mailTextSetting>>;
type TopicsValue = SettingValue<typeof blogTopics>;
type InfoValue = SettingValue<ReturnType<typeof infoPageSetting>>;

/** Texts of the site, which are exported with its look. */
export const portableTexts: PortableSetting[] = [
  ...infoPageNames.map((name) => ({
    setting: infoPageSetting(name),
    name: `Info page ${name}`,
    check(value: unknown) {
      const { text } = value as InfoValue;
      const fault = text === null ? undefined : findInfoFault(text);
      return fault && say(fault);
    },
  })),
  ...mailGroups
    .flatMap(({ kinds }) => kinds)
    .map((kind) => ({
      setting: mailTextSetting(kind.key),
      name: `Mail ${kind.key}`,
      check(value: unknown) {
        const { text } = value as MailTextValue;
        const fault = text === null ? undefined : findMailFault(kind, text);
        return fault && say(fault);
      },
    })),
  {
    setting: blogTopics,
    name: 'Topics of the blog',
    complete: async (tx, value) => ({ topics: await withUsedTopics(tx, (value as TopicsValue).topics) }),
  },
  { setting: retention, name: 'How long logs and backups are kept' },
];
