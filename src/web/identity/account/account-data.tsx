import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { fileLimitMs } from '#player/timed-fetch.ts';
import { apiFetch } from '../../api.ts';
import { saveFile } from '../../save-file.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { AccountFact } from './account-fact.tsx';

const loadDeletion = () => import('./account-deletion.tsx');
type Deletion = Awaited<ReturnType<typeof loadDeletion>>;

type AccountDataProps = {
  hasPassword: boolean | null;
  /** Paid and given time that the deletion takes; null for none. */
  loss: string | null;
  heading: 'h1' | 'h2';
};

/** Data export and account deletion. */
export function AccountData({ hasPassword, loss, heading: Heading }: AccountDataProps) {
  const showToast = useToast();
  const [isPacking, setIsPacking] = useState(false);
  const [deletion, setDeletion] = useState<Deletion>();
  const [isDeleting, setIsDeleting] = useState(false);

  useEffect(() => void loadDeletion().catch(() => undefined), []);

  async function download(): Promise<void> {
    if (isPacking) return;
    setIsPacking(true);
    showToast({ text: await downloadData() });
    setIsPacking(false);
  }

  async function openDeletion(): Promise<void> {
    const loaded = await loadDeletion().catch(() => undefined);
    if (loaded === undefined) return showToast({ text: t`No internet connection` });
    setDeletion(loaded);
    setIsDeleting(true);
  }

  return (
    <section id="data" tabIndex={-1} aria-label={t`Your data`}>
      <Heading className="text-26" tabIndex={-1}>
        {t`Your data`}
      </Heading>
      <noscript>
        <p className="mt-2 text-soft">
          <Trans>Downloading your data and deleting your account need JavaScript.</Trans>
        </p>
      </noscript>
      <dl className="details">
        <AccountFact label={t`Export`} value={t`Download all your data (ZIP)`}>
          <button
            type="button"
            className="link"
            aria-label={t`Download your data`}
            aria-disabled={isPacking || undefined}
            onClick={() => void download()}
          >
            {isPacking ? t`Packing…` : t`Download`}
          </button>
        </AccountFact>
        <AccountFact label={t`Account`} value={t`Permanently delete your account and data`}>
          <button
            type="button"
            className="link text-danger"
            aria-label={t`Delete account`}
            onClick={() => void openDeletion()}
          >
            <Trans>Delete</Trans>
          </button>
        </AccountFact>
      </dl>
      <Dialog
        open={isDeleting}
        onClose={() => setIsDeleting(false)}
        dismissedBy="button"
        title={t`Delete your account`}
        description={
          loss === null
            ? t`Your profile, your playlists, your sessions and everything else that belongs to your account are deleted at once. This cannot be undone.`
            : t`Your profile, your playlists, your sessions and everything else that belongs to your account are deleted at once. ${loss} This cannot be undone.`
        }
      >
        {deletion && <deletion.AccountDeletion hasPassword={hasPassword} onKept={() => setIsDeleting(false)} />}
      </Dialog>
    </section>
  );
}

/** @returns the message for the user */
async function downloadData(): Promise<string> {
  try {
    const answer = await apiFetch('/v1/api/user/export', { limitMs: fileLimitMs });
    if (answer.status === 429) return t`You have just done this. Please try again later.`;
    if (!answer.ok) return t`Something went wrong. Please try again.`;
    saveFile(await answer.blob(), 'my-data.zip');
    return t`Your data is downloaded`;
  } catch {
    return t`No internet connection`;
  }
}
