import { callsOf } from '#api/call.ts';
import * as content from './content.ts';
import * as money from './money.ts';
import * as people from './people.ts';
import * as system from './system.ts';
import * as texts from './texts.ts';
import * as translations from './translations.ts';

export const ownCalls = [content, texts, translations, people, money, system].flatMap(callsOf);
