import { callsOf } from '#api/call.ts';
import * as archives from './archives.ts';
import * as content from './content.ts';
import * as members from './members.ts';
import * as money from './money.ts';
import * as people from './people.ts';
import * as system from './system.ts';
import * as texts from './texts.ts';
import * as translations from './translations.ts';

export const ownCalls = [content, archives, texts, translations, people, members, money, system].flatMap(callsOf);
