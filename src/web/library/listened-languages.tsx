import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { listeningCookie, listeningToCookie, unlessAll } from '#domain/identity/listening-rules.ts';
import { formatNames } from '#formats/names.ts';
import { clearLeftLists } from '#web/catalogue/lists/list-memory.ts';
import { answerOf, api } from '../api.ts';
import { keepCookie } from '../identity/preference-cookie.ts';
import { useSession } from '../identity/session-provider.tsx';
import { ownPrefix, useRootData } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { CheckBox } from '../ui/fields/check-box.tsx';
import { Note } from '../ui/note.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import type { loadListened } from './load-listened.ts';

/**
 * Languages whose audios lists show: in the account, or in this browser. Each press is saved at once; without JavaScript
 * there is a button (`http/pages/listened-languages.ts`).
 */
export function ListenedLanguages({
  languages,
  hidesOtherComments,
  isRefused,
}: Awaited<ReturnType<typeof loadListened>>) {
  const { user } = useSession();
  const prefix = ownPrefix(useRootData());
  const showToast = useToast();
  const id = useId();
  const [chosen, setChosen] = useState(() => languages.filter(({ isChosen }) => isChosen).map(({ code }) => code));
  const [hidesOthers, setHidesOthers] = useState(hidesOtherComments);
  const isAll = chosen.length === languages.length;
  const names = formatNames(languages.filter(({ code }) => chosen.includes(code)).map(({ name }) => name));

  async function save(codes: string[], hides: boolean): Promise<void> {
    setChosen(codes);
    setHidesOthers(hides);
    const all = languages.map(({ code }) => code);
    const choice = { listensTo: unlessAll(codes, all), hidesOtherComments: hides };
    const answer = user === null ? { ok: true as const } : await answerOf(api.user.languages.$put({ json: choice }));
    if (user === null) keepCookie(listeningCookie, listeningToCookie(choice));
    if (answer.ok) return clearLeftLists();
    setChosen(chosen);
    setHidesOthers(hidesOthers);
    showToast({ text: answer.message });
  }

  function toggle(code: string): void {
    const codes = chosen.includes(code) ? chosen.filter((other) => other !== code) : [...chosen, code];
    if (codes.length === 0) return showToast({ text: t`Choose at least one language` });
    void save(codes, hidesOthers);
  }

  return (
    <section id="languages" tabIndex={-1} aria-labelledby={id}>
      <h2 className="text-22" id={id}>
        <Trans>Languages I listen to</Trans>
      </h2>
      <p className="mt-1 text-14 text-muted">
        <Trans>Lists, search and suggestions show audios in these languages. Audios without words always show.</Trans>
      </p>
      {isRefused && <Note tone="error" className="mt-3">{t`Choose at least one language`}</Note>}
      <form method="post" action={`${prefix}/languages`}>
        <ul className="mt-3 grid gap-x-12 md:grid-cols-2">
          {languages.map(({ code, label, audios: total }) => (
            <li key={code} className="border-b border-line py-3">
              <CheckBox name="language" value={code} checked={chosen.includes(code)} onChange={() => toggle(code)}>
                <b className="block font-semibold">{label}</b>
                <small className="text-13 text-muted">{plural(total, { one: '# audio', other: '# audios' })}</small>
              </CheckBox>
            </li>
          ))}
        </ul>
        <div className="noscript:hidden">
          {!isAll && (
            <button
              type="button"
              role="switch"
              aria-checked={!hidesOthers}
              aria-label={t`Comments in other languages`}
              aria-describedby={`${id}-comments`}
              className="flex w-full items-center gap-4 py-3 text-start text-14"
              onClick={() => void save(chosen, !hidesOthers)}
            >
              <span className="min-w-0 flex-1">
                <b className="block font-semibold">{t`Comments in other languages`}</b>
                <small className="text-13 text-muted" id={`${id}-comments`}>
                  {t`Off: only comments in ${names}.`}
                </small>
              </span>
              <span className="switch" />
            </button>
          )}
        </div>
        <div className="mt-4 hidden flex-wrap items-center gap-6 noscript:flex">
          <CheckBox name="otherComments" value="on" defaultChecked={!hidesOtherComments}>
            {t`Comments in other languages`}
          </CheckBox>
          <Button type="submit" variant="primary">
            {t`Save`}
          </Button>
        </div>
      </form>
    </section>
  );
}
