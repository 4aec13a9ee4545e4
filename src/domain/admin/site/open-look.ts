import type { Actor } from '../../kernel/actor.ts';
import { changeLook, changeLookPicture, findLook, findRailChoices, resetLook } from './look.ts';
import type { LookTools } from './look.ts';
import { openLookFile } from './look-file.ts';
import { portableTexts } from '../texts/portable-texts.ts';

/** The operators' acts on the look of the site. */
export function openAdminLook(tools: LookTools) {
  return {
    findLook: (actor: Actor) => findLook(tools.db, actor),
    findRailChoices: (actor: Actor) => findRailChoices(tools.db, actor),
    changeLook: (...args: Rest<typeof changeLook>) => changeLook(tools, ...args),
    changePicture: (...args: Rest<typeof changeLookPicture>) => changeLookPicture(tools, ...args),
    resetLook: (...args: Rest<typeof resetLook>) => resetLook(tools, ...args),
    ...openLookFile(tools, portableTexts),
  };
}

type Rest<Given extends (tools: never, ...args: never[]) => unknown> =
  Parameters<Given> extends [unknown, ...infer Others] ? Others : never;
